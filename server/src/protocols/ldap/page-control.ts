import { BerWriter, Control } from 'ldapts'

/**
 * Asks for a search page by page (RFC 2696), not critically: a server that does not know it sends everything at once. The library's
 * own takes an empty page for the end, which a server may send in between.
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
