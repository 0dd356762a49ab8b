import { inflateRawSync } from 'node:zlib'
import { RATIO_FROM, RATIO_MAX, UNPACKED_MAX, damaged, tooBig } from './limits.server.ts'

const ENTRIES_MAX = 200

type Entry = { name: string; method: number; packed: number; size: number; at: number }
/** The list of contents at a zip's end; undefined when there is none that holds together. */
const entriesOf = (file: Buffer): Entry[] | undefined => {
  // A comment of at most 64 kB may follow it.
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > file.length || end < file.length - 65_557) return undefined
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  if (count > ENTRIES_MAX) return undefined
  const entries: Entry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > end || file.readUInt32LE(at) !== 0x02014b50) return undefined
    const nameLength = file.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
    if (next > end) return undefined
    // Encrypted: nothing of it can be read.
    if (file.readUInt16LE(at + 8) & 1) return undefined
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + nameLength),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    })
    at = next
  }
  return entries
}
/** The most that a part may unpack to, by what it is packed to. */
const mostOf = (packed: number): number => Math.max(RATIO_FROM, packed * RATIO_MAX)

/** The bytes of an entry as they lie in the zip. */
const packedBytes = (file: Buffer, { at, packed, method }: Entry): Buffer => {
  if (at + 30 > file.length || file.readUInt32LE(at) !== 0x04034b50) throw damaged()
  if (method !== 0 && method !== 8) throw damaged()
  const from = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  if (from + packed > file.length) throw damaged()
  return file.subarray(from, from + packed)
}
/**
 * Opens a workbook's zip and unpacks its parts. Whatever its list of contents says of sizes, no part
 * unpacks to more than its bounds, and all parts together to no more than theirs; both are asked
 * before a byte is unpacked. The answer reads a part as text, undefined where there is no such part;
 * throws SheetFault.
 */
export const openZip = (file: Buffer): ((name: string) => string | undefined) => {
  const entries = entriesOf(file)
  if (!entries) throw damaged()
  const texts = entries.filter(entry => /\.(?:xml|rels)$/i.test(entry.name))
  if (texts.reduce((sum, entry) => sum + entry.size, 0) > UNPACKED_MAX) throw tooBig()
  if (texts.some(entry => entry.size > mostOf(entry.packed))) throw tooBig()
  const parts = new Map<string, Buffer>()
  let left = UNPACKED_MAX
  for (const entry of texts) {
    const data = packedBytes(file, entry)
    if (left < 1) throw tooBig()
    const bytes = entry.method === 0 ? data : inflated(data, Math.min(left, mostOf(data.length)))
    left -= bytes.length
    parts.set(entry.name.toLowerCase(), bytes)
  }
  return name => {
    const bytes = parts.get(name.toLowerCase())
    return bytes && new TextDecoder().decode(bytes)
  }
}
const inflated = (data: Buffer, maxOutputLength: number): Buffer => {
  try {
    return inflateRawSync(data, { maxOutputLength })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooBig() : damaged()
  }
}
