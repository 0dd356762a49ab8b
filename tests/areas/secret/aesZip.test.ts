import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { expect, it } from 'vitest'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'

const opened = async (file: Buffer, password: string) => {
  const [entry] = await new ZipReader(new Uint8ArrayReader(new Uint8Array(file))).getEntries()
  if (!entry || entry.directory) throw new Error('no file in it')
  return { entry, text: await entry.getData(new TextWriter(), { password, useWebWorkers: false }) }
}

it('encrypts a file that its password alone opens', async () => {
  const password = drawPassword()
  const file = await aesZip('codes.csv', 'ABCD-EFGH\r\n', password)
  expect(file.includes('ABCD')).toBe(false)
  const { entry, text } = await opened(file, password)
  expect(text).toBe('ABCD-EFGH\r\n')
  expect(entry).toMatchObject({ filename: 'codes.csv', encrypted: true, zipCrypto: false })
  await expect(opened(file, drawPassword())).rejects.toThrow()
})
it('makes passwords of twenty signs that do not look alike', () => {
  const made = new Set(Array.from({ length: 50 }, drawPassword))
  expect(made.size).toBe(50)
  for (const one of made) expect(one).toMatch(/^[2-9A-HJKMNP-Z]{20}$/)
})
