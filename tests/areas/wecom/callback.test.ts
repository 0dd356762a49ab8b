import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMessage, sealMessage } from '#src/areas/wecom/crypto.server.ts'
import { readFlatXml, writeFlatXml } from '#src/areas/wecom/flatXml.ts'

/** The keys and messages that WeCom's documentation shows. */
const shown = {
  token: 'QDG6eK',
  aes_key: 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C',
  corp_id: 'wx5823bf96d3bd56c7',
}
const echo = {
  sealed:
    'P9nAzCzyDtyTWESHep1vC5X9xho/qYX3Zpb4yKa9SKld1DsH3Iyt3tP3zNdtp+4RPcs8TgAE7OaBO+FZXvnaqQ==',
  signed: {
    timestamp: '1409659589',
    nonce: '263014780',
    msg_signature: '5c45ff5e21c57e6ad56bac8758b79b1d9ac89fd3',
  },
}

describe('a sealed message', () => {
  it('of WeCom’s documentation opens', () =>
    expect(openMessage(shown, echo.sealed, echo.signed)).toBe('1616140317555161061'))
  it('opens to what was sealed, whatever it is and however long', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const of = { timestamp: '1', nonce: '2' }
        const { sealed, msg_signature } = sealMessage(shown, text, of)
        expect(openMessage(shown, sealed, { ...of, msg_signature })).toBe(
          Buffer.from(text).toString(),
        )
      }),
    ))
  it.each([
    ['with another token', { ...shown, token: 'other' }],
    ['for another corp', { ...shown, corp_id: 'wx5823bf96d3bd56c8' }],
    ['with another key', { ...shown, aes_key: `k${shown.aes_key.slice(1)}` }],
  ])('%s does not', (_, keys) => {
    const of = { timestamp: '1', nonce: '2' }
    const { sealed, msg_signature } = sealMessage(keys, '<xml></xml>', of)
    let opened: string | null = null
    try {
      opened = openMessage(shown, sealed, { ...of, msg_signature })
    } catch {
      opened = null
    }
    expect(opened).toBe(null)
  })
  it('whose timestamp, nonce or text was changed does not', () => {
    const { sealed, signed } = echo
    expect(openMessage(shown, sealed, { ...signed, timestamp: '1409659590' })).toBe(null)
    expect(openMessage(shown, sealed, { ...signed, nonce: '263014781' })).toBe(null)
    expect(openMessage(shown, `Q${sealed.slice(1)}`, signed)).toBe(null)
  })
})

describe('the XML of a callback', () => {
  it('is read field by field, CDATA or text', () =>
    expect(
      readFlatXml(`<xml>
        <ToUserName><![CDATA[ww1]]></ToUserName>
        <CreateTime>1403610513</CreateTime>
        <State/>
        <Note>a &lt;b&gt; &amp; c</Note>
      </xml>\n`),
    ).toEqual({ ToUserName: 'ww1', CreateTime: '1403610513', State: '', Note: 'a <b> & c' }))
  it('gives a list as its values with commas', () =>
    expect(
      readFlatXml(
        `<xml><ChatId><![CDATA[wrA]]></ChatId><MemChangeList>
          <Item><![CDATA[zhangsan]]></Item>
          <Item><![CDATA[wmB]]></Item>
        </MemChangeList></xml>`,
      ),
    ).toEqual({ ChatId: 'wrA', MemChangeList: 'zhangsan,wmB' }))
  it('comes back as it was written', () =>
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[A-Za-z]{1,12}$/),
          fc.string({ unit: 'grapheme', maxLength: 40 }),
          { maxKeys: 8 },
        ),
        fields => {
          expect(readFlatXml(writeFlatXml(fields))).toEqual({ ...fields })
        },
      ),
    ))
  it.each([
    ['a document type', '<!DOCTYPE xml [<!ENTITY a "b">]><xml><A>&a;</A></xml>'],
    ['an entity of its own', '<xml><A>&a;</A></xml>'],
    ['an entity without an end', '<xml><A>&amp</A></xml>'],
    ['a declaration', '<?xml version="1.0"?><xml></xml>'],
    ['a comment', '<xml><!-- --></xml>'],
    ['an attribute', '<xml><A b="c">d</A></xml>'],
    ['another root', '<html></html>'],
    ['two roots', '<xml></xml><xml></xml>'],
    ['an element left open', '<xml><A>'],
    ['elements crossed', '<xml><A><B></A></B></xml>'],
    ['a field said twice', '<xml><A>1</A><A>2</A></xml>'],
    ['text in the root', '<xml>text</xml>'],
    ['too deep a nest', '<xml><A><B><C><D>1</D></C></B></A></xml>'],
    ['too many elements', `<xml>${'<A></A>'.repeat(201)}</xml>`],
    ['too long a text', `<xml><A>${'a'.repeat(70_000)}</A></xml>`],
    ['CDATA left open', '<xml><A><![CDATA[a</A></xml>'],
    ['nothing', ''],
  ])('with %s is not read', (_, xml) => expect(readFlatXml(xml)).toBe(null))
  it('ends quickly on whatever it is given', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'<>/!&;[]xmlCDAT '), maxLength: 300 }),
        xml => {
          readFlatXml(xml)
        },
      ),
    ))
})
