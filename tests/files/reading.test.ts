import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readLicence } from '#src/areas/merchant/licence.ts'
import { scanned } from '#src/server/files/picture.ts'
import { readText } from '#src/server/files/reading.ts'

it(
  'the embedded reader reads a licence by what lies in node_modules',
  { timeout: 90_000 },
  async () => {
    // What it can't read ends the reader, and nobody else: the next picture is read all the same.
    expect(await readText(new Uint8Array([1, 2, 3]))).toEqual({
      fault: ['识别程序意外结束', 'the reader ended unexpectedly'],
    })
    const scan = await scanned(readFileSync(new URL('./licence.png', import.meta.url)))
    if ('fault' in scan) throw new Error('no picture')
    const read = await readText(scan.data)
    if ('fault' in read) throw new Error(read.fault[1])
    const { values, checked } = readLicence(read.lines)
    expect(values).toMatchObject({
      license_no: '91350100M000100Y43',
      name: '福州小满餐饮管理有限公司',
      legal_name: '王大明',
    })
    expect(checked).toEqual(['license_no'])
  },
)
