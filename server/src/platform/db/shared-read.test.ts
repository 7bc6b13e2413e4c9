import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedRead } from './shared-read.js'

/** A read whose answers come when they are told to. */
function slowRead() {
  const begun: { asked: string; answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const find = sharedRead(
    (asked: string) => new Promise<string>((answer, fail) => begun.push({ asked, answer, fail })),
    (asked) => asked,
  )
  return { begun, find }
}

it('those who ask at one moment share a read, each for what they ask', async () => {
  const { begun, find } = slowRead()
  const answers = ['a', 'b', 'a', 'a'].map(find)
  await setImmediate()
  expect(begun.map(({ asked }) => asked)).toEqual(['a', 'b'])
  for (const { asked, answer } of begun) answer(`of ${asked}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of b', 'of a', 'of a'])
})

it('nobody is answered by a read that began before they asked', async () => {
  const { begun, find } = slowRead()
  const early = find('a')
  await setImmediate()
  const late = find('a')
  await setImmediate()
  expect(begun).toHaveLength(2)
  begun[0]?.answer('before')
  begun[1]?.answer('after')
  expect([await early, await late]).toEqual(['before', 'after'])
})

it('a read that fails fails for those who share it, and for nobody after them', async () => {
  const { begun, find } = slowRead()
  const both = [find('a'), find('a')]
  await setImmediate()
  begun[0]?.fail(new Error('away'))
  for (const one of await Promise.allSettled(both)) expect(one).toMatchObject({ status: 'rejected' })
  const next = find('a')
  await setImmediate()
  begun[1]?.answer('back')
  expect(await next).toBe('back')
})
