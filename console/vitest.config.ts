import { defineConfig } from 'vitest/config'
import { messages } from './vite-plugins/messages.ts'

export default defineConfig({
  plugins: [messages()],
  test: { include: ['src/**/*.test.ts'], environment: 'node', isolate: false },
})
