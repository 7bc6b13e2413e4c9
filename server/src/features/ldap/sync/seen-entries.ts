/** The numbers of the entries that a run has seen, as a bit set: 12 KB for 100,000 entries. */
export class SeenEntries {
  private bits = Buffer.alloc(1_024)
  count = 0

  add(no: number): void {
    if (this.has(no)) return
    this.count++
    const at = no >> 3
    if (at >= this.bits.length) this.bits = Buffer.concat([this.bits], Math.max(this.bits.length * 2, at + 1))
    this.bits[at] = (this.bits[at] ?? 0) | (1 << (no & 7))
  }

  has(no: number): boolean {
    return ((this.bits[no >> 3] ?? 0) & (1 << (no & 7))) !== 0
  }
}
