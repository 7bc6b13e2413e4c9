import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A response that a block received with curl. */
export interface Recorded {
  status: string
  body: string
}

export interface Outcome {
  /** The exit status of the block: that of its first command that failed. */
  exitStatus: number
  /** The output of the block on both streams. */
  output: string
  responses: Recorded[]
}

/** A shell in which a reader executes one block of a page after another. */
export interface ReaderShell {
  /** Executes a block with the variables and functions of earlier blocks. */
  execute(commands: string): Promise<Outcome>
  close(): void
}

/** `curl`, which records responses, and `npm`, which only verifies that the script exists. */
const COMMANDS = join(import.meta.dirname, 'commands')
const END = 'end of block\n'

/**
 * Opens a shell.
 *
 * @param folder for temporary files
 * @param cwd a folder like a clone of the repository in which `npm start` runs
 */
export function openShell(folder: string, cwd: string): ReaderShell {
  const files = mkdtempSync(join(folder, 'shell-'))
  const { PATH = '', HOME = '' } = process.env
  const shell = spawn('bash', ['--norc', '-s'], { cwd, env: { PATH: `${COMMANDS}:${PATH}`, HOME } })
  let output = ''
  let onEnd = (_exitStatus: number): void => {}
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      if (output.includes(END)) onEnd(0)
    })
  // The first command that fails ends the shell (`set -e`).
  shell.once('close', (code) => onEnd(code ?? -1))
  let blocks = 0

  return {
    async execute(commands) {
      const block = join(files, `${blocks++}`)
      const recorded = `${block}.responses`
      const assigned = [...commands.matchAll(/^(?:export )?([A-Z_]+)=/gm)].map(([, name]) => name)
      mkdirSync(recorded)
      writeFileSync(block, `set -e\nexport RECORDED='${recorded}' ASSIGNED='${assigned.join(' ')}'\n${commands}`)
      output = ''
      const ended = new Promise<number>((resolve) => {
        onEnd = resolve
      })
      shell.stdin.write(`. '${block}' </dev/null; printf '${END.replace('\n', '\\n')}'\n`)
      const exitStatus = await ended
      const responses = readdirSync(recorded)
        .filter((name) => name.endsWith('.head'))
        .sort()
        .map((name) => readResponse(join(recorded, name)))
      return { exitStatus, output: output.replace(END, ''), responses }
    },
    close: () => void shell.kill('SIGKILL'),
  }
}

function readResponse(head: string): Recorded {
  const [, status = ''] = [...readFileSync(head, 'utf8').matchAll(/^HTTP\/\S+ (\d{3})/gm)].at(-1) ?? []
  return { status, body: readFileSync(head.replace(/head$/, 'body'), 'utf8') }
}
