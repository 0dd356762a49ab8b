import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { filePieces } from '#src/areas/redeemCode/importFile.server.ts'
import { SLICE, textOfFile, textRead } from '#src/areas/secret/slices.server.ts'

const file = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
describe('a file of codes', () => {
  it.each([
    ['nothing', ''],
    ['no end of its last line', 'A\nB'],
    ['each way of ending a line', 'A\r\nB\rC\n\nD\r'],
    ['a mark before its first line', '\ufeffA\nB\n'],
    ['signs of several bytes', '码\n🂡'],
    ['a byte that is no sign', Buffer.from([65, 13, 0xe7])],
  ])('has the same text read piece by piece, with %s', (_, text) => {
    expect([...textRead(file(text))].join('')).toBe(textOfFile(file(text)))
  })
  it('has the same text wherever a piece of it ends', () => {
    // 147,456 bytes are read at a time: the border moves over each part of what stands there.
    for (let before = 147_440; before < 147_460; before++) {
      const whole = file(`${'X'.repeat(before)}\r\n码🂡\r\n\rEND`)
      expect([...textRead(whole)].join('')).toBe(textOfFile(whole))
      const pieces = [...filePieces(whole)]
      expect(pieces.map(({ n, text }) => [n, text])).toEqual([[3, textOfFile(whole)]])
    }
  })
  it('is cut into slices that say where they begin, without a piece of empty lines', () => {
    const lines = [
      ...Array.from({ length: SLICE + 1 }, (_, at) => `CODE${at}`),
      ...Array.from({ length: 9 * SLICE }, () => ' '),
      'LAST',
    ]
    const pieces = [...filePieces(file(lines.join('\n')))]
    expect(pieces.map(({ at, from, n }) => ({ at, from, n }))).toEqual([
      { at: 1, from: 0, n: SLICE },
      { at: SLICE + 1, from: SLICE, n: 1 },
      { at: 9 * SLICE + 1, from: SLICE + 1, n: 1 },
    ])
    for (const { at, text } of pieces)
      expect(text.split('\n')).toEqual(lines.slice(at - 1, at - 1 + text.split('\n').length))
    expect(pieces.reduce((sum, piece) => sum + piece.n, 0)).toBe(SLICE + 2)
    expect([...filePieces(file(' \n\n'))]).toEqual([])
  })
  it('of 80 MB is never there a second time, neither hashed nor read', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--max-semi-space-size=8',
      '--import',
      './src/source.mjs',
      'tests/areas/redeemCode/heldOnce.ts',
    ])
    const told = JSON.parse(stdout) as Record<string, number>
    expect(told).toMatchObject({ good: true, hash: 64, codes: 5_000_000, at: 4_995_001 })
    expect(told['beside']).toBeLessThan(told['file']!)
  }, 180_000)
})
