import type { Report } from './report.js'

export interface Settings {
  /** The `server` folder of the build to measure. */
  build: URL
  /** The `server` folder of another build, compared in the same rounds. */
  against: URL | undefined
  rounds: number
  /** The duration of one batch. */
  seconds: number
  /** The folder for processor profiles; undefined = no profiles. */
  profiles: URL | undefined
  /** Runs only the parts of a benchmark whose name contains this string; undefined = all. */
  only: string | undefined
}

export interface Benchmark {
  name: string
  title: string
  run(settings: Settings): Promise<Report>
}
