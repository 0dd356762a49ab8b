import { BATCH_MOST, secretsCan, type SecretVerb } from '#src/areas/ecard/code.ts'
import { codeCan, type CodeVerb } from '#src/areas/ecard/codeLife.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  batchRow,
  codeBatches as batchCalls,
  codeRow,
  codes as calls,
  type BatchRow,
  type CodeRow,
} from '#src/modules/ecard/contract/code.ts'
import { ask, byKeyword, called, recordFinder, type Me } from '../command.ts'
import { cardCodes, cardFaces } from '../pages/ecard.ts'
import { asking, exportAction, idOf, one, pageAction, reason, rowActions } from '../record.ts'

/** The two views of the page; one of them stands in its address. */
export const codeViews = {
  codes: ['卡密', 'Codes'],
  batches: ['批次', 'Batches'],
} as const
export type CodeView = keyof typeof codeViews
export const codeViewActions = {
  codes: pageAction('ecard.list.code.codes', codeViews.codes, cardCodes, { key: '1' }),
  batches: pageAction('ecard.list.code.batches', codeViews.batches, cardCodes, { key: '2' }),
}
const elsewhere = {
  code: ['先切到卡密', 'Go to the codes first'],
  batch: ['先切到批次', 'Go to the batches first'],
} as const
const isBatch = (row: CodeRow | BatchRow): row is BatchRow => 'qty' in row
const can = (verb: CodeVerb) => (row: CodeRow) =>
  isBatch(row) ? elsewhere.code : codeCan(verb, row, unixNow())
const may = (verb: SecretVerb) => (row: BatchRow, me: Me) =>
  isBatch(row) ? secretsCan(verb, row, me.id) : elsewhere.batch

/** The card whose codes the page shows, as its rows and its address say. */
export const faceAsk = ask.entity({
  label: ['面值', 'Face'],
  find: calls.faces,
  labelOf: (of: { name: string }) => of.name,
  given: rows => ({ card_id: (rows[0] as { card_id?: number } | undefined)?.card_id ?? 0 }),
  none: ['这张卡还没有面值', 'The card has no face values yet'],
})
const row = rowActions(cardCodes, codeRow)
const batch = rowActions(cardCodes, batchRow)
called(batchRow, of => of.batch_no)

/** What is done with codes of a card. */
export const codeActions = {
  generate: pageAction(calls.generate, ['生成卡密', 'Make codes'], cardCodes, {
    key: 'n',
    main: true,
    asks: {
      attr_id: faceAsk,
      count: ask.number({ label: ['数量', 'How many'], min: 1, max: BATCH_MOST }),
      reason,
    },
    input: (_, asked) => asked,
    takenBack: 'asked',
  }),
  importCodes: pageAction('ecard.list.code.importCodes', ['导入卡密', 'Import codes'], cardCodes, {
    key: 'i',
    permit: calls.importCodes.permit,
    asks: { attr_id: faceAsk, reason },
  }),
  freeze: row.row(calls.freeze, ['冻结', 'Freeze'], {
    key: 'f',
    main: 'plain',
    danger: true,
    when: can('freeze'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  unfreeze: row.row(calls.unfreeze, ['解冻', 'Unfreeze'], {
    key: 'u',
    when: can('unfreeze'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  extend: row.row(calls.extend, ['延长有效期', 'Extend'], {
    key: 't',
    when: can('extend'),
    asks: {
      until: ask.time({
        label: ['有效期至', 'Valid until'],
        initial: rows => rows[0]?.valid_until ?? undefined,
        hint: ['只能延后；已过期的卡恢复可用', 'Later only; expired cards become usable again'],
      }),
      reason,
    },
    input: asking(({ until, reason: why }) => ({ until: until!, reason: why })),
  }),
  void: row.row(calls.void, ['作废', 'Void'], {
    key: 'v',
    danger: true,
    when: can('void'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  revealSecret: row.row(calls.revealSecret, ['查看卡密', 'Reveal the secret'], {
    key: 'shift+h',
    when: of => !isBatch(of as CodeRow | BatchRow) || elsewhere.code,
    tells: rows =>
      rows[0] && codeCan('refund', rows[0], unixNow()) === true
        ? [['查看后这张卡不能再退款', 'Once viewed, the card can’t be refunded'], {}]
        : undefined,
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  trace: row.row('ecard.list.code.trace', ['查看流转记录', 'View history'], {
    key: 'o',
    when: of => !isBatch(of as CodeRow | BatchRow) || elsewhere.code,
  }),
  export: exportAction(calls.export, ['导出卡密列表', 'Export the list'], cardCodes),
}
/** What is done with a batch of codes. */
export const codeBatchActions = {
  batchVoid: batch.row(batchCalls.batchVoid, ['作废整批', 'Void the batch'], {
    key: 'shift+v',
    danger: true,
    when: of => isBatch(of as CodeRow | BatchRow) || elsewhere.batch,
    tells: rows =>
      rows[0] && [
        ['只作废未售的卡密，已售的跳过；不能恢复', 'Voids unsold codes only; can’t be undone'],
        {},
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  askSecrets: batch.row(batchCalls.askSecrets, ['申请导出明文', 'Request secrets'], {
    key: 'shift+a',
    main: 'plain',
    when: may('ask'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  agreeSecrets: batch.row(batchCalls.agreeSecrets, ['复核导出申请', 'Approve export'], {
    key: 'a',
    main: true,
    when: may('agree'),
    asks: {
      agree: ask.flag({ label: ['同意导出（不选则驳回）', 'Approve (otherwise rejected)'] }),
      reason,
    },
    input: asking(asked => asked),
  }),
  fetchSecrets: batch.row(batchCalls.fetchSecrets, ['加密导出明文', 'Export secrets encrypted'], {
    key: 'd',
    main: true,
    when: may('fetch'),
    input: one,
    takenBack: 'final',
    alias: ['下载卡密', 'AES ZIP'],
  }),
}

/** The card of its codes, found by its name or number. */
export const codeCards = recordFinder({
  pages: [cardCodes, cardFaces],
  hint: ['电子卡名称或编号', 'Name or number of an e-card'],
  find: calls.cards,
  asked: byKeyword,
  given: of => ({ type: 'ecard', id: of.id, row: of }),
  title: of => of.name,
})
