// How the project is written (CONTRIBUTING.md, "Writing"): words with a plainer standard term in documentation, comments and messages,
// titles of tests that do not begin with a verb, files and folders named in documentation or comments that do not exist, and subjects
// of new commits.
//
//   node scripts/check-language.mjs          fails if a count is above its limit, and prints where
//   node scripts/check-language.mjs --list   prints every place
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { testTitles } from './test-titles.mjs'

const isListing = process.argv.includes('--list')
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })

/** Words to replace, with what to write instead. */
const WORDS = [
  [/\b(who|what|which|whom)ever\b/i, 'name the actor or the object'],
  [/\b(some|no)body\b|\bstrangers?\b/i, 'a user, no user, a third party, another team'],
  [/\brefus(e|es|ed|als?|ing)\b/i, 'reject, deny, error'],
  [/\bjudg(e|es|ed|ing|e?ments?)\b/i, 'verify, validate, verdict'],
  [/\bvouch(ed|es|ing)?\b|\bconfined\b|\blent\b|\bmakers?\b/i, 'asserted, restricted, delegated, creator'],
  [/\b(told|tells?|telling)\b/i, 'notify, issue, show, distinguish'],
  [/\bfor ever\b|\bany more\b|\bgo(es)? on\b|\btakes? turns\b/i, 'indefinitely, any longer, continue, queue'],
  [/\blets? go\b|\bsettle[sd]?\b/i, 'deprovision, resolve, normalize, validate'],
  [/\b(is|are|was) dead\b|\bdies\b/i, 'revoked, expired, no longer valid'],
  [/\b(rooms?|doors?)\b/i, 'module, public API, sign-in method'],
  [/\b(an?|the|no|each|every) texts?\b(?! part)/i, 'string, message, text field'],
  [
    /(?:^|[.:;(] )(Who|What|Of|By|Nothing) (?!'s |is (this|that)\?|(is|was|of this change was) (changed|saved|stored)|changes|default|name\.)[a-z]+ (?![^.]*\?)/,
    'begin with the subject',
  ],
]
/** Values of the API, the database and SAML, and a function of the tests: they keep their names. */
const VALUES =
  /'refused'|`refused`|\brefused(?=:|, emp| or would)|\bconfined\b|sender-vouches|\bsettle\(|'settle'|'strangers'/g
/** Words of a title's start that are no third-person verb. */
const NO_VERB =
  /^(is|was|its|this|always|as|his|hers|theirs|ours|yours|less|across|does|unless|besides|various|sometimes)$/
/** The name of the conformance module before a title: "oidcc-login-hint: passes the hint to the sign-in page". */
const MODULE = /^((oidcc-[\w%-]+|%s)(, )?)+: /

/**
 * How many places each check accepts: those that are right in their sentence (a ConfigMap is told apart by its name), and those
 * that are still to be rewritten. Lower a limit whenever you removed some.
 */
const LIMITS = { words: 6, titles: 0, paths: 0, subjects: 0 }

const CODE = /\.(ts|tsx|mjs)$/
const files = git('ls-files', 'server', 'bench', 'scripts', 'docs', '*.md')
  .split('\n')
  .filter((file) => (CODE.test(file) || file.endsWith('.md')) && !/\.gen\.|^console\//.test(file))
  .filter((file) => file !== 'scripts/check-language.mjs')

const words = []
const titles = []
const paths = []
const allFiles = git('ls-files').split('\n')
/** Names of source files, and paths from the root of the repository except those of built programs. */
const PATHS =
  /`((?!\.\/)[\w./-]+\/?[\w.-]+\.(?:ts|tsx|mjs|cjs)|(?:server|console|docs|scripts|bench)\/(?!dist|bundle)[\w./-]+)`/g
const isKnownPath = (path) =>
  allFiles.some((file) => file === path || file.endsWith(`/${path}`) || file.startsWith(path.replace(/\/?$/, '/')))
for (const file of new Set(files)) {
  const source = readFileSync(file, 'utf8')
  const lines = source.split('\n')
  for (const [index, line] of lines.entries()) {
    const isProse = file.endsWith('.md') || /^\s*(\/\/|\*|\/\*)|['"`]|\/\/ /.test(line)
    const prose = isProse ? line.replace(VALUES, '') : ''
    const found = WORDS.find(([pattern]) => pattern.test(prose))
    for (const [, path] of isProse ? line.matchAll(PATHS) : [])
      if (!isKnownPath(path)) paths.push(`${file}:${index + 1}: ${path}`)
    if (found) words.push(`${file}:${index + 1}: ${line.trim().slice(0, 120)} (${found[1]})`)
  }
  if (file.endsWith('.test.ts')) titles.push(...titlesWithoutVerb(file, source))
}

/** The titles that do not begin with a third-person verb ("rejects a code that was already used"). */
function* titlesWithoutVerb(file, source) {
  for (const { title, line } of testTitles(file, source)) {
    const [first = ''] = /^[a-z-]+/.exec(title.replace(MODULE, '')) ?? []
    if (!first.endsWith('s') || NO_VERB.test(first)) yield `${file}:${line}: ${title.slice(0, 100)}`
  }
}

/** Subjects since this rule that are too long, have no type, or are not in the imperative. */
const subjects = git('log', '--no-merges', '--since=2026-11-25T23:30:00Z', '--format=%s')
  .split('\n')
  .filter((subject) => subject !== '' && !isSubject(subject))

function isSubject(subject) {
  const [, verb] = /^[a-z]+(?:\([\w,-]+\))?!?: ([a-z-]+) /.exec(subject) ?? []
  if (!verb || subject.length > 72) return false
  return !/(ed|ing)$|[^su]s$/.test(verb) || /^(embed|need|bring|process|address)$/.test(verb)
}

let isFailed = false
for (const [name, places] of Object.entries({ words, titles, paths, subjects })) {
  console.log(`${name}: ${places.length} (limit ${LIMITS[name]})`)
  if (places.length <= LIMITS[name] && !isListing) continue
  isFailed ||= places.length > LIMITS[name]
  for (const place of places) console.log(`  ${place}`)
}
process.exit(isFailed ? 1 : 0)
