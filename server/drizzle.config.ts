import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/platform/db/platform-tables.ts', './src/features/*/tables.ts'],
  // The check of the migrations generates into a copy.
  out: process.env.MIGRATIONS_OUT ?? './migrations',
})
