import type { Report } from './report.js'

export interface Settings {
  /** The folder of the server whose build is measured. */
  build: URL
  /** Another one, to compare with in the same rounds. */
  against: URL | undefined
  rounds: number
  /** Of one batch. */
  seconds: number
  /** Where to write processor profiles; undefined = none are taken. */
  profiles: URL | undefined
  /** Of a benchmark with several parts, those whose name contains this; undefined = all. */
  only: string | undefined
}

export interface Benchmark {
  name: string
  title: string
  run(settings: Settings): Promise<Report>
}
