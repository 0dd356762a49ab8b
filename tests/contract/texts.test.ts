import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { keyText, lines, pasted, searched, text } from '#src/contract/shapes.ts'
import { implementations } from '#src/implementations.ts'
import { bareStringsOf } from '../help/inputs.ts'

const said = (schema: z.ZodType, value: string) => {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : parsed.error.issues.map(issue => issue.code).join()
}

describe('a text of an input', () => {
  it('is refused where nothing in it can be seen', () => {
    for (const invisible of ['\u200b', '\u3164', '\u2800', '\n', '\u202e', '\u200b\u3164 \u2800'])
      for (const kind of [text(32), lines(255, 2)])
        expect([invisible, said(kind, invisible)]).toEqual([invisible, 'too_small'])
    expect(said(text(32, 0), '\u200b')).toBe('')
  })
  it('is brought to its plain form before it is counted', () => {
    expect(said(text(5), ' 超级管理员\u200b\u200b\u200b')).toBe('超级管理员')
    expect(said(text(20), 'A\nB')).toBe('A B')
    expect(said(lines(20), 'A\r\nB')).toBe('A\nB')
  })
  it('is counted in code points', () => {
    expect(said(text(3), '😀😀😀')).toBe('😀😀😀')
    expect(said(text(3), '😀😀😀😀')).toBe('too_big')
    expect(said(lines(255, 2), '😀')).toBe('too_small')
  })
  it('is refused where it can’t be stored', () => {
    for (const kind of [text(9), lines(9), searched(9), pasted(9), keyText(9)])
      for (const bad of ['a\0', 'a\ud800']) expect(said(kind, bad)).toBe('custom')
  })
  it('stays as it was typed where it is searched for, and its lines where it is pasted', () => {
    expect(said(searched(9), ' \u200b ')).toBe('\u200b')
    expect(said(pasted(9), '\n\na\n')).toBe('\n\na')
  })
  it('tells its limits to the API’s document', () =>
    expect(z.toJSONSchema(text(32).optional())).toMatchObject({ minLength: 1, maxLength: 32 }))
})

describe('every string of every call’s input', () => {
  it('says what kind of text it is, or has a form of its own', () => {
    const calls = implementations
      .flat()
      .flatMap(module => Object.values(module.calls as Record<string, Call>))
    const bare = calls.flatMap(call =>
      bareStringsOf(call.input).map(path => `${call.path} ${path}`),
    )
    expect([...new Set(bare)]).toEqual([])
  })
  it('is found bare wherever it stands', () =>
    expect(
      bareStringsOf(
        z.object({
          a: z.string().max(3),
          b: z.array(z.object({ c: z.union([z.string().trim(), z.int()]).optional() })),
          d: z.record(z.string(), text(3)),
          e: text(4).optional(),
          f: z.string().regex(/^a$/),
          g: z.email(),
        }),
      ),
    ).toEqual(['a', 'b.c', 'd.*']))
})
