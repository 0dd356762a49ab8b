import { restFault, storeCan, type StoreVerb } from '#src/areas/merchant/store.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { stores as calls, storeRow, type StoreRow } from '#src/modules/shop/contract/stores.ts'
import { ask, byKeyword, inAll, recordFinder, to, type Told } from '../command.ts'
import { storeEdit, storeForm, storeGoods, stores } from '../pages/shop.ts'
import {
  asking,
  exportAction,
  idOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'

const can = (verb: StoreVerb) => (row: StoreRow) => storeCan(verb, row)
/** What a change of a store does to what it sells, where that was counted. */
const tells =
  (text: Text) =>
  ([row]: readonly StoreRow[]): Told | undefined =>
    row?.effects && [text, row.effects]
const goesOff = tells([
  '{goes_off} 件商品没有其他营业门店，将下架至恢复营业；已售券码仍可在本店核销',
  '{goes_off} products have no other open store and go off sale until it reopens; sold codes stay redeemable here',
])
const until_at = ask.time({
  label: ['预计恢复时间', 'Reopens'],
  optional: true,
  hint: ['到时自动恢复营业；留空则须手动恢复', 'Reopens automatically then; empty: reopen by hand'],
  check: at => restFault(at, unixNow()),
})
const rest = ({ reason, until_at }: { reason: string; until_at: number | undefined }) => ({
  reason,
  ...(until_at !== undefined && { until_at }),
})
/** A floor of the mall that the answers or the row name. */
const floorAsk = (of: Partial<Parameters<typeof ask.entity>[0]> = {}) =>
  ask.entity({
    label: ['楼层', 'Floor'],
    find: calls.floors,
    labelOf: floor => (floor.alias ? `${floor.name} ${floor.alias}` : floor.name),
    given: (rows, answers) => ({ mid: answers.mid ?? rows[0]?.mid }),
    none: ['该商场还没有楼层', 'The mall has no floors yet'],
    ...of,
  })
const row = rowActions(stores, storeRow)

/** What is done with stores on their list. */
export const storeActions = {
  create: pageAction('shop.stores.create', ['新增门店', 'New store'], stores, {
    key: 'c',
    main: true,
    permit: storeForm.permit,
    to: () => to(storeForm),
  }),
  edit: row.row('shop.stores.edit', ['编辑门店', 'Edit store'], {
    key: 'e',
    main: 'plain',
    permit: storeEdit.permit,
    to: ([of]) => to(of!.status === 'draft' ? storeForm : storeEdit, { id: of!.id }),
  }),
  linkGoods: row.row('shop.stores.linkGoods', ['关联商品', 'Linked products'], {
    key: 'l',
    main: true,
    permit: storeGoods.permit,
    to: rows => to(storeGoods, { store_id: rows[0]!.id }),
  }),
  rest: row.row(calls.rest, ['暂停营业', 'Pause'], {
    key: 'p',
    main: 'plain',
    when: can('rest'),
    tells: rows =>
      rows[0]?.effects?.goes_off === 0
        ? [['已售券码仍可在本店核销', 'Sold codes stay redeemable here'], {}]
        : goesOff(rows),
    asks: { reason, until_at },
    input: asking(rest),
  }),
  open: row.row(calls.open, ['恢复营业', 'Reopen'], {
    key: 'o',
    main: 'plain',
    when: of =>
      of.status === 'resting' && of.merchant_status !== 'active'
        ? ['商户已冻结或终止，门店不能营业', 'The merchant is frozen or terminated']
        : storeCan('open', of),
    input: one,
    takenBack: 'opposite',
  }),
  moveMall: row.row(calls.moveMall, ['迁移商场', 'Move to a mall'], {
    key: 'm',
    main: 'plain',
    when: can('move'),
    asks: {
      mid: ask.entity({
        label: ['迁入商场', 'Mall'],
        find: calls.malls,
        labelOf: mall => mall.name,
        given: rows => ({ city_id: rows[0]?.city_id }),
        initial: rows => rows[0]?.mid,
        named: rows => rows[0]?.mall_name || (['商场外', 'Outside malls'] as const),
        hint: ['历史订单仍归原商场', 'Past orders stay with the old mall'],
      }),
      floor_id: floorAsk({
        optional: true,
        shown: answers => Boolean(answers.mid),
        initial: rows => rows[0]?.floor_id ?? undefined,
        named: rows => rows[0]?.floor_name || undefined,
      }),
      door_no: ask.text({
        label: ['门牌号', 'Unit no.'],
        max: 20,
        optional: true,
        initial: rows => rows[0]?.door_no || undefined,
      }),
    },
    input: asking(({ mid, floor_id, door_no }) => ({
      mid,
      ...(mid > 0 && floor_id ? { floor_id } : {}),
      door_no: door_no ?? '',
    })),
  }),
  recommend: row.row(calls.recommend, ['设为推荐', 'Recommend'], {
    key: 'r',
    when: of =>
      of.is_recommend ? ['已是推荐门店', 'Already recommended'] : storeCan('recommend', of),
    input: one,
  }),
  unrecommend: row.row(calls.unrecommend, ['取消推荐', 'Remove from recommended'], {
    key: 'shift+r',
    when: of => of.is_recommend || ['不是推荐门店', 'Not recommended'],
    input: one,
  }),
  addVerifier: row.row(calls.addVerifier, ['添加核销员', 'Add a clerk'], {
    key: 'v',
    when: can('addVerifier'),
    asks: {
      phone: ask.text({ label: ['手机号', 'Mobile'], max: 30, check: phoneFault }),
      name: ask.text({
        label: ['姓名', 'Name'],
        max: 32,
        optional: true,
        hint: [
          '该手机号已是本商户核销员时留空，直接绑定本店',
          'Leave empty if the phone is already a clerk of this merchant: it is bound to this store',
        ],
      }),
    },
    input: (rows, { phone, name }) => ({ ...idOf(rows), phone, ...(name && { name }) }),
  }),
  qrcode: row.row('shop.stores.qrcode', ['下载门店码', 'Download store code'], {
    key: 'q',
    alias: ['小程序码', '二维码', 'QR'],
  }),
  close: row.row(calls.close, ['闭店', 'Close for good'], {
    danger: true,
    when: can('close'),
    tells: tells([
      '只能在本店核销的已付款券码 {codes_here} 张：须为 0 才能闭店；{goes_off} 件商品随之下架，闭店不可恢复',
      '{codes_here} paid codes can be redeemed only here: must be 0 to close; {goes_off} products go off sale. Closing can’t be undone',
    ]),
    asks: { reason },
    input: asking(asked => asked),
  }),
  batchRest: row.row(calls.batchRest, ['批量暂停', 'Pause selected'], {
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: can('rest'),
    asks: { reason, until_at },
    input: (rows, asked) => ({ ...idsOf(rows), ...rest(asked) }),
  }),
  batchMoveFloor: row.row(calls.batchMoveFloor, ['批量换楼层', 'Move selected to a floor'], {
    key: 'shift+m',
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: of =>
      of.mid === 0
        ? ['商场外的门店没有楼层', 'Stores outside malls have no floor']
        : storeCan('move', of),
    asks: { floor_id: floorAsk() },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  import: pageAction(calls.import, ['批量导入门店', 'Import stores'], stores, {
    key: 'i',
    alias: ['导入', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportAction(calls.export, ['导出门店', 'Export stores'], stores),
}

export const storesFound = recordFinder({
  pages: [storeGoods, storeEdit],
  hint: ['门店名称或门店号', 'Name or number of the store'],
  find: calls.lst,
  asked: byKeyword,
  given: row => ({ type: 'store', id: row.id, row }),
  title: row => row.name,
  byId: 'store',
})
