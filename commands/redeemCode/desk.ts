import { mayHandOver } from '#src/areas/redeemCode/goods.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { phoneFault } from '#src/domain/phone.ts'
import {
  codeDesk as calls,
  deskCode,
  type DeskCode,
} from '#src/modules/redeemCode/contract/vertify.ts'
import { ask, called } from '../command.ts'
import { codeDesk } from '../pages/redeemCode.ts'
import { asking, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(codeDesk, deskCode)
called(deskCode, of => of.masked)
const last = (rows: readonly DeskCode[]) => rows[0]?.last_store
/** What is done at the desk; every key is a chord, as the field of the next scan keeps the focus. */
export const deskActions = {
  lookup: pageAction('redeemCode.vertify.lookup', ['查询兑换码', 'Look up'], codeDesk, {
    key: 'mod+shift+k',
    permit: calls.lookup.permit,
    alias: ['扫码', 'scan'],
  }),
  batchLookup: pageAction(
    'redeemCode.vertify.batchLookup',
    ['批量查询', 'Look up several'],
    codeDesk,
    {
      key: 'mod+shift+b',
      permit: calls.batchLookup.permit,
      asks: {
        codes: ask.text({
          label: ['兑换码，每行一个，最多 500 个', 'Codes, one per line, up to 500'],
          max: 20_000,
          lines: 8,
        }),
      },
    },
  ),
  redeemFor: row.row(calls.redeemFor, ['代会员兑换', 'Redeem for a member'], {
    key: 'mod+enter',
    main: true,
    when: of => of.result === 'ok' || [of.text, of.text],
    asks: {
      phone: ask.text({
        label: ['会员手机号', 'The member’s phone'],
        max: 20,
        check: phoneFault,
      }),
      phone_tail: ask.text({
        label: ['请会员再报后四位', 'Last 4, repeated by the member'],
        max: 4,
        min: 4,
        check: (typed, answers: { phone?: string }) =>
          answers.phone?.replace(/\D/g, '').endsWith(typed)
            ? undefined
            : (['与手机号不符，请核对', 'Doesn’t match the phone number'] as const),
      }),
      mall: ask.entity({
        label: ['所在商场', 'Your mall'],
        find: mallPicker,
        key: 'mid',
        labelOf: (of: { name: string }) => of.name,
        optional: true,
        shown: (_, rows) => (rows[0]?.malls.length ?? 0) > 0,
      }),
    },
    input: ([of], { phone, phone_tail, mall }) => ({
      id: of!.id,
      phone,
      phone_tail,
      ...(mall && { mall_id: mall }),
    }),
  }),
  handOver: row.row(calls.handOver, ['核销实物奖品', 'Hand the prize over'], {
    key: 'mod+shift+enter',
    main: true,
    alias: ['领取奖品', '兑奖', 'prize'],
    when: of => mayHandOver(of.goods),
    asks: {
      store: ask.entity({
        label: ['核销门店', 'Store'],
        find: calls.stores,
        labelOf: (of: { name: string }) => of.name,
        field: 'store_id',
        given: rows => ({ code_id: rows[0]?.id }),
        none: ['本批次适用商场没有营业中的门店', 'No open store in the batch’s malls'],
        initial: rows => last(rows)?.id,
        named: rows => last(rows)?.name,
      }),
    },
    input: ([of], { store }) => ({ id: of!.id, store_id: store }),
  }),
  voidCode: row.row(calls.voidCode, ['作废', 'Void'], {
    key: 'mod+shift+x',
    main: 'plain',
    danger: true,
    asks: { reason },
    input: asking(asked => asked),
  }),
  extend: row.row(calls.extend, ['延期', 'Extend'], {
    key: 'mod+shift+e',
    main: 'plain',
    asks: {
      end_at: ask.time({ label: ['有效期至', 'Valid until'], initial: rows => rows[0]?.end_at }),
      reason,
    },
    input: asking(({ end_at, reason: why }) => ({ end_at: end_at!, reason: why })),
  }),
  undo: row.row(calls.undo, ['撤销刚才核销', 'Undo'], {
    key: 'mod+shift+u',
    main: 'plain',
    danger: true,
    asks: { reason },
    input: asking(asked => asked),
  }),
  reveal: row.row(calls.reveal, ['查看完整兑换码', 'Reveal the code'], {
    key: 'mod+shift+h',
    asks: { reason },
    input: ([of], asked) => ({ id: of!.id, ...asked }),
  }),
  print: row.row('redeemCode.vertify.print', ['打印核销小票', 'Print a slip'], {
    key: 'mod+shift+y',
  }),
}
