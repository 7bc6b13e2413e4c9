// Writes the types of the message catalogues beside them; with `--check`, exits with 1 if a file is missing or outdated.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { sourceCatalogues, typesOf } from './messages.ts'

const check = process.argv.includes('--check')
for (const catalogue of sourceCatalogues()) {
  const file = catalogue.replace(/\.json$/, '.d.json.ts')
  const types = typesOf(catalogue)
  if (existsSync(file) && readFileSync(file, 'utf8') === types) continue
  if (!check) writeFileSync(file, types)
  else {
    process.stderr.write(`${file} is outdated: run \`npm run messages -w console\`.\n`)
    process.exitCode = 1
  }
}
