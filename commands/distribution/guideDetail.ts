import { sellerCan } from '#src/areas/distribution/sellers.ts'
import { guideRules } from '#src/areas/place/guideRule.ts'
import { bpOf } from '#src/domain/money.ts'
import {
  guideDetail as calls,
  guideRow,
  type GuideRow,
} from '#src/modules/distribution/contract/guideDetail.ts'
import { ask, to } from '../command.ts'
import { guideCustomers, guideDetail as at } from '../pages/distribution.ts'
import { asking, reason, rowActions } from '../record.ts'

const row = rowActions(at, guideRow)
const changes = (of: GuideRow) => sellerCan('change', of)
/** What is done on the page of one guide. */
export const guideDetailActions = {
  customers: row.row('distribution.index.guideDetail.customers', ['绑定客户', 'Customers'], {
    key: 'c',
    main: true,
    permit: guideCustomers.permit,
    to: rows => to(guideCustomers, { id: rows[0]!.id }),
  }),
  changeStore: row.row(calls.changeStore, ['更换门店', 'Change the store'], {
    key: 's',
    main: 'plain',
    when: changes,
    tells: ([of]) =>
      of && [
        [
          `现在 {store}，{n} 位客户。按原商场的规则：${guideRules[of.guide_rule][0]}`,
          `Now at {store}, {n} customers. By the rule of its mall they are: ${guideRules[of.guide_rule][1]}`,
        ],
        { store: of.store, n: of.customer_count },
      ],
    asks: {
      store_id: ask.entity({
        label: ['新门店', 'New store'],
        find: calls.stores,
        labelOf: (one: { name: string }) => one.name,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  bindWecom: row.row(calls.bindWecom, ['绑定企微成员', 'Bind in WeCom'], {
    key: 'b',
    when: changes,
    asks: {
      userid: ask.text({
        label: ['企微成员账号', 'WeCom user id'],
        max: 40,
        initial: ([of]: readonly GuideRow[]) => of?.wecom_userid,
        field: 'wecom_userid',
      }),
    },
    input: asking(asked => asked),
    takenBack: 'form',
  }),
  setRate: row.row(calls.setRate, ['设置导购佣金', 'Set the rate'], {
    key: 'r',
    when: changes,
    asks: {
      rate: ask.number({
        label: ['比例（%）', 'Rate (%)'],
        min: 0,
        max: 30,
        places: 2,
        optional: true,
        field: 'rate_bp',
        initial: ([of]: readonly GuideRow[]) =>
          typeof of?.own_share_bp === 'number' ? of.own_share_bp / 100 : undefined,
        hint: [
          '留空按商品设置；由商户承担，最高 30%',
          'Empty: the product’s rate. Borne by the merchant; up to 30%',
        ],
      }),
      reason,
    },
    input: asking(({ rate, reason: why }) => ({
      rate_bp: rate === undefined ? null : bpOf(rate),
      reason: why,
    })),
  }),
  freeze: row.row(calls.freeze, ['冻结资格', 'Freeze'], {
    key: 'f',
    danger: true,
    when: of => sellerCan('freeze', of),
    tells: () => [
      [
        '冻结后不能绑定新客户、不产生新佣金、不能提现；已得佣金保留',
        'No new customers, commission or withdrawals; what was earned stays',
      ],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  leave: row.row(calls.leave, ['办理离职', 'Offboard'], {
    key: 'l',
    danger: true,
    when: of => sellerCan('quit', of),
    tells: ([of]) =>
      of && [
        [
          '{n} 位客户由同店导购接任；不选接任者则退回门店客户池。冻结佣金结清后清退，余额仍可提现',
          '{n} customers go to a guide of the store, or back to its pool if none is chosen. Removed once commission on hold is settled',
        ],
        { n: of.customer_count },
      ],
    asks: {
      successor_id: ask.entity({
        label: ['接任导购', 'Successor'],
        optional: true,
        find: calls.successors,
        labelOf: (one: { name: string }) => one.name,
        given: ([of]: readonly GuideRow[]) => ({ ...(of && { of_id: of.id }) }),
        none: [
          '同店没有其他导购，客户将退回门店客户池',
          'No other guide here: customers return to the store pool',
        ],
      }),
      reason,
    },
    input: asking(({ successor_id, reason: why }) => ({
      reason: why,
      ...(successor_id && { successor_id }),
    })),
  }),
  export: row.row(calls.export, ['导出业绩', 'Export commission'], { key: 'shift+e' }),
}
