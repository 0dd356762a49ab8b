import { randomBytes } from 'node:crypto'
import { configure, TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { alphabets } from './secretCode.ts'

// Workers of a browser: the server has threads of its own kind.
configure({ useWebWorkers: false })

const PASSWORD_SIGNS = 20
/** A password for people to pass on: 20 signs that don't look alike, 99 bits. */
export const drawPassword = (): string => {
  const signs = alphabets.mixed
  const fair = Math.floor(256 / signs.length) * signs.length
  let made = ''
  while (made.length < PASSWORD_SIGNS)
    for (const byte of randomBytes(PASSWORD_SIGNS))
      if (byte < fair && made.length < PASSWORD_SIGNS) made += signs[byte % signs.length]
  return made
}
/** One text file in a ZIP that is encrypted by AES-256, as 7-Zip, WinZip and macOS tools open it. */
export const aesZip = async (name: string, text: string, password: string): Promise<Buffer> => {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { password, encryptionStrength: 3 })
  await zip.add(name, new TextReader(text))
  return Buffer.from(await zip.close())
}
