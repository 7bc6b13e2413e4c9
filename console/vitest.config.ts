import { defineConfig } from 'vitest/config'
import { icons } from './vite-plugins/icons.ts'
import { messages } from './vite-plugins/messages.ts'

export default defineConfig({
  plugins: [messages(), icons()],
  test: { include: ['src/**/*.test.ts'], environment: 'node', isolate: false },
})
