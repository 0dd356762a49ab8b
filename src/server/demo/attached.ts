import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Films and guides of the demo's messages. */
export const demoFilms = [1, 2, 3].map(n => `demo/film-${n}.mp4`)
export const demoGuides = [1, 2, 3].map(n => `demo/guide-${n}.pdf`)

const box = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, body])
}
/** An MP4 without a picture: a message needs its bytes, nobody watches it. */
const film = (n: number): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\u0002\0isomiso2mp41', 'latin1')),
    box('free', Buffer.alloc(64 * n)),
    box('mdat', Buffer.alloc(512 * n)),
  ])
/** A PDF of one page with a line on it. */
const guide = (n: number): Buffer => {
  const text = `BT /F1 24 Tf 72 720 Td (Guide ${n}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const from = file.length
    file += `${at + 1} 0 obj${object}endobj\n`
    return from
  })
  const rows = offsets.map(from => `${String(from).padStart(10, '0')} 00000 n \n`).join('')
  const xref = file.length
  return Buffer.from(
    `${file}xref\n0 6\n0000000000 65535 f \n${rows}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`,
    'latin1',
  )
}
/** Writes the films and guides of the demo into `folder`, where there is one; answers their measures. */
export const writeAttached = async (folder?: string) => {
  const files = [
    ...demoFilms.map((key, at) => ({ key, mime: 'video/mp4', bytes: film(at + 1) })),
    ...demoGuides.map((key, at) => ({ key, mime: 'application/pdf', bytes: guide(at + 1) })),
  ]
  for (const { key, bytes } of folder ? files : []) {
    const path = join(folder!, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  return files.map(({ key, mime, bytes }) => ({
    file_key: key,
    mime,
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
}
