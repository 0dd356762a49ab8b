import type { Term } from '#src/areas/workbench/term.ts'

const at = '/manage/settle/detail'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'settle_batch',
    title: ['结算批次', 'Settlement batch'],
    at,
    means: [
      '一个商户在一段期间内冻结期已满的明细，一起确认、一起入账；生成的人不能入账。',
      'Lines of one merchant whose freeze is over, confirmed and posted together; whoever generated it never posts it.',
    ],
    asks: ['批次', '结算单'],
  },
  {
    id: 'settle_payable',
    title: ['应结金额', 'Payable'],
    at,
    means: [
      '销售额减去商户优惠、佣金、商户承担的手续费、退款扣减和抵扣欠款；不会小于零，不够抵的仍记为欠款。',
      'Gross less discount, commission, the fee that the merchant bears, refunds and debt; never below zero, the rest stays owed.',
    ],
    asks: ['应结', '抵扣欠款', '退款扣减'],
  },
  {
    id: 'settle_terms',
    title: ['结算主体', 'Settlement terms'],
    at,
    means: [
      '商户按什么费率、周期和账户结算；修改须另一人复核，换收款账户期间暂停打款。',
      'The rate, cycle and account that a merchant is settled by; another person checks a change, and a new account stops payouts meanwhile.',
    ],
    asks: ['费率变更', '收款账户变更'],
  },
  {
    id: 'settle_recalc',
    title: ['重算', 'Recalculate'],
    at,
    means: [
      '批次生成后明细有退款或被冻结时，须重算并由商户重新确认，否则不能入账。',
      'After a refund or a hold among its lines a batch is calculated again and confirmed anew before it is posted.',
    ],
    asks: ['明细已变动'],
  },
]
