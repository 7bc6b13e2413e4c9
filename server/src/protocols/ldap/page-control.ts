import { BerWriter, Control } from 'ldapts'

/**
 * Requests a paged search (RFC 2696), not critically: a server without support returns everything at once. The library's own paging stops
 * at an empty page, which a server may send before the last one.
 */
export class PageControl extends Control {
  constructor(
    private readonly size: number,
    private readonly cookie: Buffer,
  ) {
    super('1.2.840.113556.1.4.319')
  }

  override writeControl(writer: BerWriter): void {
    const value = new BerWriter()
    value.startSequence()
    value.writeInt(this.size)
    value.writeBuffer(this.cookie, 0x04)
    value.endSequence()
    writer.writeBuffer(value.buffer, 0x04)
  }
}
