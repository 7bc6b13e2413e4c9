import { readFileSync } from 'node:fs'

/** The languages of fenced blocks that are not commands: configuration of other programs, and code that tests of their own contain. */
const OTHER_LANGUAGES = ['js', 'php', 'apache', 'mermaid', 'yaml']

/** A block of commands in a page of the documentation. */
export interface Example {
  /** The line of its first command. */
  line: number
  commands: string
  /** The status of each response, in order: `2xx`, or the code of a comment at the end of the command (`curl … # 401`). */
  statuses: string[]
  /** The block of JSON that follows: members of the last response. Strings `…` stand for any string. */
  response: unknown
  /** Why it cannot be executed, from the comment `<!-- Not executable: … -->` before it. */
  skipped: string | undefined
}

/** Returns the commands of a page in order. @throws Error for a block that is neither executed nor compared with a response */
export function readExamples(path: string): Example[] {
  const source = readFileSync(path, 'utf8')
  const examples: Example[] = []
  let end = 0
  for (const match of source.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)) {
    const [block, language = '', text = ''] = match
    const between = source.slice(end, match.index).trim()
    const line = source.slice(0, match.index).split('\n').length + 1
    end = match.index + block.length
    const previous = examples.at(-1)
    if (language === 'sh')
      examples.push({
        line,
        commands: text,
        statuses: statusesOf(text),
        response: undefined,
        skipped: /<!-- Not executable: ([^>]+) -->$/.exec(between)?.[1],
      })
    else if (language === 'json' && previous && between === '') previous.response = JSON.parse(text)
    else if (!OTHER_LANGUAGES.includes(language))
      throw new Error(`${path}:${line}: a block of ${language || 'no language'} that no test executes or compares`)
  }
  return examples
}

function statusesOf(commands: string): string[] {
  const statuses: string[] = []
  for (const [, status] of commands.matchAll(/\bcurl |# (\d{3})\b/g))
    if (status) statuses.splice(-1, 1, status)
    else statuses.push('2xx')
  return statuses
}
