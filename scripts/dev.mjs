// `npm run dev`: restarts the server when its sources change and reloads the pages. Vite on port 5173 proxies the API.
import { spawn } from 'node:child_process'

const env = { ...process.env, FRONTEND_URL: process.env.FRONTEND_URL ?? 'http://localhost:5173' }
const commands = [
  [process.execPath, ['--import', 'tsx', '--watch-path=server/src', 'server/src/main.ts'], env],
  ['npm', ['run', 'dev', '-w', 'console'], process.env],
]
const children = commands.map(([command, args, childEnv]) => spawn(command, args, { stdio: 'inherit', env: childEnv }))
const end = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
for (const child of children)
  child.on('exit', (code) => {
    end()
    process.exitCode ??= code ?? 1
  })
