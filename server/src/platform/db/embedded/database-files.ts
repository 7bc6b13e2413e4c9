import fs from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { endOfLastRecord, positionOfSegment, SEGMENT_BYTES } from './log-position.js'

interface Stream {
  /** The descriptor of the operating system. */
  nfd: number
  node: { name: string }
}

/** The operations of the engine's file system that are replaced; it has no `fsync`, so that PostgreSQL's would have no effect. */
interface StreamOperations {
  write(stream: Stream, memory: Int8Array, offset: number, length: number, position: number): number
  fsync?: (stream: Stream) => number
}

type Options = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** The files of the database in a folder of the operating system. Reports the end of the write-ahead log and can sync files to the disk. */
export class DatabaseFiles extends NodeFS {
  #written = 0
  #endOfLog = 0

  /** @param fsync whether PostgreSQL's `fsync` reaches the disk */
  constructor(
    folder: string,
    private readonly fsync: boolean,
  ) {
    super(folder)
  }

  /**
   * The position after the last complete record of the log that was written, or synced with `fsync`; 0 before the first. Every
   * acknowledged transaction is before it. PostgreSQL also writes the pages of open transactions, but syncs them only for a commit.
   */
  get endOfLog(): number {
    return this.#endOfLog
  }

  override async init(db: PGlite, options: Options): Promise<{ emscriptenOpts: Options }> {
    const replaceOperations = (module: PGlite['Module']) => {
      const { stream_ops: operations }: { stream_ops: StreamOperations } = module.FS.filesystems.NODEFS
      const { write } = operations
      operations.write = (stream, memory, offset, length, position) => {
        const written = write(stream, memory, offset, length, position)
        this.#observe(stream.node.name, position, new DataView(memory.buffer, memory.byteOffset + offset, written))
        return written
      }
      if (this.fsync)
        operations.fsync = ({ nfd, node }) => {
          fs.fsyncSync(nfd)
          const segment = segmentOf(node.name)
          if (segment !== undefined) this.#endOfLog = Math.min(this.#written, segment + SEGMENT_BYTES)
          return 0
        }
    }
    return super.init(db, { ...options, preRun: [...(options.preRun ?? []), replaceOperations] } as Options)
  }

  #observe(name: string, offset: number, pages: DataView): void {
    const segment = segmentOf(name)
    const end = segment === undefined ? undefined : endOfLastRecord(pages)
    if (segment === undefined || end === undefined) return
    this.#written = segment + offset + end
    if (!this.fsync) this.#endOfLog = this.#written
  }
}

const SEGMENT_NAME_LENGTH = 24

/** Returns the position at which the file of the log begins; undefined for another file. */
const segmentOf = (name: string): number | undefined =>
  name.length === SEGMENT_NAME_LENGTH ? positionOfSegment(name) : undefined
