import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { saidWith, type CarriedMaterial } from '#src/areas/wecomMaterial/carried.ts'
import {
  materialCan,
  materialFaults,
  mediaState,
  pieceOf,
  unsendableBy,
  type MaterialBody,
} from '#src/areas/wecomMaterial/material.ts'
import { pieceFault, utf8Bytes } from '#src/areas/wecomMaterial/piece.ts'
import { attachedFault, attachedMost } from '#src/domain/attached.ts'

const link = (more: object = {}): MaterialBody => ({
  kind: 'link',
  title: '周末市集',
  desc: '点开查看',
  url: 'https://m.mallet.example/a',
  ...more,
})
const wrong = (body: MaterialBody, title = '素材') =>
  Object.entries(materialFaults({ title, body })).flatMap(([key, fault]) => (fault ? [key] : []))

describe('what a material may say', () => {
  it('counts bytes, not characters, where WeCom does', () => {
    expect(wrong(link({ title: '字'.repeat(42) }))).toEqual([])
    expect(wrong(link({ title: '字'.repeat(43) }))).toEqual(['body'])
    expect(wrong(link({ desc: '字'.repeat(170) }))).toEqual([])
    expect(wrong(link({ desc: '字'.repeat(171) }))).toEqual(['body'])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), title => {
        const fault = pieceFault({ kind: 'link', title, desc: '', url: 'https://a.cn' })
        expect(fault === undefined).toBe(utf8Bytes(title) <= 128)
      }),
    )
  })
  it('leads to https alone', () => {
    for (const url of ['http://a.cn', 'javascript:alert(1)', 'a.cn', ''])
      expect(wrong(link({ url })), url).toEqual(['body'])
  })
  it('names the word that advertising law forbids, wherever it stands', () => {
    expect(wrong({ kind: 'image', key: 'a.png' }, '国家级优惠')).toEqual(['title'])
    expect(wrong({ kind: 'text', text: '全网最低价' })).toEqual(['body'])
    expect(wrong(link({ desc: '绝对划算' }))).toEqual(['body'])
    expect(materialFaults({ title: '好', body: link({ title: '国家级' }) }).body?.[0]).toContain(
      '链接标题含广告禁用词「国家级」',
    )
  })
  it('has a page, a cover and an AppID where it is a mini program', () => {
    const mini = { kind: 'miniprogram', title: '会员', appid: 'wx0123456789abcdef' } as const
    expect(wrong({ ...mini, page: 'pages/a', key: 'a.png' })).toEqual([])
    expect(wrong({ ...mini, page: ' ', key: 'a.png' })).toEqual(['body'])
    expect(wrong({ ...mini, page: 'pages/a', key: 'a.webp' })).toEqual(['body'])
    expect(wrong({ ...mini, appid: 'wx1', page: 'pages/a', key: 'a.png' })).toEqual(['body'])
  })
  it('knows the variables of a text, and its bytes', () => {
    expect(wrong({ kind: 'text', text: '{客户昵称}您好' })).toEqual([])
    expect(wrong({ kind: 'text', text: '{生日}快乐' })).toEqual(['body'])
    expect(wrong({ kind: 'text', text: '字'.repeat(1334) })).toEqual(['body'])
    expect(wrong({ kind: 'text', text: ' ' })).toEqual(['body'])
  })
  it('calls a file by its title, with the extension once', () => {
    const body = { kind: 'file', key: 'file/1/x.pdf' } as const
    expect(pieceOf({ title: '手册', body })).toMatchObject({ name: '手册.pdf' })
    expect(pieceOf({ title: '手册.pdf', body })).toMatchObject({ name: '手册.pdf' })
  })
})
describe('files beside pictures', () => {
  const bytes = (head: string, size = 64) =>
    Uint8Array.from({ length: size }, (_, at) => head.charCodeAt(at) || 0)
  it('are what their first bytes say, within what WeCom takes', () => {
    expect(attachedFault('video', bytes('\0\0\0\u0018ftypisom'), 'a.mp4')).toBeUndefined()
    expect(attachedFault('video', bytes('\0\0\0\u0018ftypheic'), 'a.mp4')).toBeDefined()
    expect(attachedFault('file', bytes('%PDF-1.4'), 'a.pdf')).toBeUndefined()
    expect(attachedFault('file', bytes('PK\u0003\u0004'), 'a.docx')).toBeUndefined()
    expect(attachedFault('file', bytes('MZ'), 'a.pdf')).toBeDefined()
    expect(attachedFault('file', bytes('<html>'), 'a.html')).toBeDefined()
    expect(attachedFault('file', new Uint8Array(0), 'a.pdf')).toBeDefined()
    expect(attachedFault('file', bytes('%PDF', attachedMost.file + 1), 'a.pdf')?.[0][0]).toContain(
      '{n} MB',
    )
  })
})
const carried = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  title: fc.constant('素材'),
  kind: fc.constantFrom('text' as const, 'image' as const),
  text: fc.constantFrom('', '词'),
  piece: fc.constantFrom(null, { kind: 'image' as const, key: 'a.png' }),
  off: fc.constantFrom(null, 'off' as const, 'over' as const, 'gone' as const),
})
describe('what a message says by its materials', () => {
  it('sends, says or leaves out each attachment, and none of those that are off', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(carried, { selector: one => one.id }),
        fc.array(fc.integer({ min: 1, max: 6 })),
        (materials: CarriedMaterial[], ids) => {
          const attachments = ids.map(id => ({ kind: 'material' as const, id }))
          const said = saidWith({ text: '你好', attachments }, materials)
          expect(said.pieces.length + said.texts.length + said.skipped.length).toBe(ids.length)
          for (const { material } of said.pieces) expect(material!.off).toBeNull()
          for (const one of said.texts) expect(one.off).toBeNull()
          expect(said.text.startsWith('你好')).toBe(true)
        },
      ),
    )
  })
  it('leaves out from the very second of its end', () => {
    const of = { status: 'enabled' as const, valid_to_at: 100, gone_at: null }
    expect(unsendableBy(of, 99)).toBeUndefined()
    expect(unsendableBy(of, 100)).toBe('over')
    expect(unsendableBy({ ...of, valid_to_at: null }, 1e12)).toBeUndefined()
    expect(unsendableBy({ ...of, status: 'draft' }, 1)).toBe('off')
    expect(unsendableBy({ ...of, gone_at: 1 }, 1)).toBe('gone')
  })
  it('tells how WeCom has a file', () => {
    const at = { media_id: 'm', expire_at: 100, error: '' }
    expect(mediaState('k', at, 99)).toBe('valid')
    expect(mediaState('k', at, 100)).toBe('expired')
    expect(mediaState('k', { ...at, error: '超限' }, 99)).toBe('failed')
    expect(mediaState('k', undefined, 99)).toBe('absent')
    expect(mediaState(null, undefined, 99)).toBe('none')
  })
  it('is turned on unless it is past its end, and uploaded where it has a file', () => {
    const of = {
      status: 'draft' as const,
      valid_to_at: 10,
      uses_n: 0,
      live_n: 0,
      media: 'none' as const,
    }
    expect(materialCan('enable', of, 9)).toBe(true)
    expect(materialCan('enable', of, 10)).not.toBe(true)
    expect(materialCan('refreshMedia', of, 9)).not.toBe(true)
    expect(materialCan('replace', of, 9)).not.toBe(true)
    expect(materialCan('disable', { ...of, status: 'enabled' }, 9)).toBe(true)
  })
})
