import { describe, expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { csvField } from '#src/domain/csv.ts'

describe('a text as a field of a CSV file', () => {
  it.each([
    '123456789012',
    '007',
    '0123',
    '1E10',
    '1.5e-3',
    '3-8',
    '1/2',
    '3-8-1',
    '12-2024',
    '1:30',
    'MAR1',
    'sept-2',
    '8-Mar-24',
  ])('%s is kept text by a tab, which is no part of it', text => {
    expect(csvField(text)).toBe(`\t${text}`)
    const said = readSheetFile(Buffer.from(`a,b\n${csvField(text)},x\n`))
    expect('sheets' in said && said.sheets[0]!.rows[1]![0]!.trim()).toBe(text)
  })
  it.each([
    '12',
    '0',
    '3.5',
    '2026-11-23',
    '2026-11-23 05:53:52',
    'SF1438270956123',
    'E10',
    'A-8',
    'Marina 1',
  ])('%s stands as it is', text => expect(csvField(text)).toBe(text))
  it('what begins a formula is no formula', () => expect(csvField('=1+1')).toBe("'=1+1"))
})
