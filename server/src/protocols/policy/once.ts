/** Returns the stored value, also if it is undefined; else computes and stores it. */
export function once<T>(known: Map<string, unknown>, name: string, compute: () => T): T {
  if (!known.has(name)) known.set(name, compute())
  return known.get(name) as T
}
