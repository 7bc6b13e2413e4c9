import { type FileBase, hasExactly, isCount, isHash, isTime, readFileEntry, type SealLine } from '../archive/format.js'
import { type ChainHead, chainStart, nextHash } from '../chain.js'
import { InvalidFile, type InvalidReason } from './invalid-file.js'
import { openPersonalData } from './open-personal-data.js'
import type { Line } from './read-lines.js'

const SEAL = { number: isCount, entries: isCount, head: isHash, createdAt: isTime }

interface Mismatch {
  line: number
  id: string
  /** The hash before the entry. */
  previous: Buffer
  /** Whether a later entry of the seal continues from `previous`. */
  hasSuccessor: boolean
}

/** Recomputes the chain of an export, line by line. It stores one hash, not the entries. */
export class ExportWalk {
  firstAt: string | null = null
  lastAt: string | null = null
  #hash: Buffer
  #head: ChainHead
  #inSeal = 0
  #lastId: string | undefined
  #mismatch: Mismatch | undefined

  /** @param base where the file begins, which the signed checkpoint at its end must name */
  constructor(chain: string, base: FileBase | null) {
    this.#hash = base ? Buffer.from(base.head, 'hex') : chainStart(chain)
    const { seal, entries } = base ?? { seal: 0, entries: 0 }
    this.#head = { chain, seal, entries, head: this.#hash.toString('hex') }
  }

  /** The head after the last verified seal. */
  get head(): ChainHead {
    return this.#head
  }

  /** The number of entries after the last seal. */
  get unsealed(): number {
    return this.#inSeal
  }

  /** Reads an entry. Its violation is reported at the seal, whose number of entries shows the cause. */
  entry({ number: line, value }: Line): void {
    const { entry: stored, hash: storedHash, valueKeys, ...others } = value
    const entry = readFileEntry(stored)
    if (!entry || !isHash(storedHash) || Object.keys(others).length > 0)
      throw new InvalidFile('malformed', 'The line is not an entry with its hash.', { line })
    openPersonalData(entry, valueKeys, { line, id: entry.id })
    const mismatch = this.#mismatch
    const hash = nextHash(mismatch?.previous ?? this.#hash, entry)
    const isNext = hash.toString('hex') === storedHash
    if (mismatch) mismatch.hasSuccessor ||= isNext
    else if (isNext) this.#hash = hash
    else this.#mismatch = { line, id: entry.id, previous: this.#hash, hasSuccessor: false }
    this.#inSeal++
    this.#lastId = entry.id
    this.lastAt = entry.created_at.toISOString()
    this.firstAt ??= this.lastAt
  }

  /** Reads the seal of the entries before it. @throws InvalidFile */
  seal({ number: line, value }: Line): void {
    if (!hasExactly(value.seal, SEAL) || Object.keys(value).length !== 1)
      throw new InvalidFile('malformed', 'The line is not a seal.', { line })
    const { number, entries, head } = value.seal as unknown as SealLine
    const expected = this.#head.seal + 1
    if (number > expected)
      throw new InvalidFile('removed', `The seal ${expected} is missing.`, { line, seal: expected })
    if (number < expected)
      throw new InvalidFile('reordered', `The seal ${number} follows the seal ${this.#head.seal}.`, {
        line,
        seal: number,
      })
    const [reason, message] = this.#violation(entries - this.#head.entries, head) ?? []
    if (reason)
      throw new InvalidFile(reason, message ?? '', {
        line: this.#mismatch?.line ?? line,
        seal: number,
        id: this.#mismatch?.id ?? (reason === 'inserted' ? this.#lastId : undefined),
      })
    this.#head = { ...this.#head, seal: number, entries, head }
    this.#inSeal = 0
  }

  /** @param sealed the number of entries of the seal */
  #violation(sealed: number, head: string): [InvalidReason, string] | undefined {
    const mismatch = this.#mismatch
    if (this.#inSeal < sealed) {
      const where = mismatch ? 'before this one' : 'before the seal'
      return ['removed', `The seal has ${sealed} entries, and the file ${this.#inSeal}: an entry is missing ${where}.`]
    }
    if (this.#inSeal > sealed)
      return ['inserted', `The seal has ${sealed} entries, and the file ${this.#inSeal}: an entry was inserted here.`]
    if (mismatch?.hasSuccessor) return ['reordered', 'The entry is not in the order of the chain.']
    if (mismatch) return ['changed', 'The entry differs from its hash.']
    return this.#hash.toString('hex') === head
      ? undefined
      : ['changed', 'The entries differ from the head of the seal.']
  }
}
