// Runs the tests of the server in the order of a list, the nearest to the mutation first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import server from '../../server/vitest.config.ts'

const root = join(import.meta.dirname, '../..')
const order = JSON.parse(readFileSync(process.env.KEYWARD_TEST_ORDER, 'utf8'))
const position = new Map(order.map((file, index) => [join(root, file), index]))

class InGivenOrder extends BaseSequencer {
  async sort(files) {
    return files.toSorted((a, b) => position.get(a.moduleId) - position.get(b.moduleId))
  }
}

export default mergeConfig(
  { ...server, test: { ...server.test, include: order.map((file) => file.replace(/^server\//, '')) } },
  { test: { sequence: { sequencer: InGivenOrder } } },
)
