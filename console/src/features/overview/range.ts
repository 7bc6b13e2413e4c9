/** The numbers of days that the overview can show, in the URL as `days`. */
export const RANGES = [7, 30, 90] as const
export type Range = (typeof RANGES)[number]

export const DEFAULT_DAYS = 30
