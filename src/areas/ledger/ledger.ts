import type { Text } from '#src/domain/text.ts'

/** Whose account it is. `platform` is the house itself, with owner 0. */
export const ownerKinds = {
  platform: ['平台', 'Platform'],
  merchant: ['商户', 'Merchant'],
  mall: ['商场', 'Mall'],
  distributor: ['分销员', 'Distributor'],
  member: ['会员', 'Member'],
  plan: ['补贴计划', 'Subsidy plan'],
} as const satisfies Record<string, Text>
export type OwnerKind = keyof typeof ownerKinds

type Account = {
  title: Text
  /** Its number in the chart of accounts: 1 assets, 2 liabilities, 4 income, 5 expenses. */
  code: string
  owners: readonly OwnerKind[]
  /** The side that its balance never falls to: a debt that is repaid too far is a mistake. */
  never?: 'debit' | 'credit'
}
/** The chart of accounts (domain D, ledger_account). Debit is positive, credit negative. */
export const accounts = {
  wechat_cash: { title: ['微信商户号', 'WeChat Pay account'], code: '1001', owners: ['platform'] },
  bank_cash: { title: ['银行存款', 'Bank account'], code: '1002', owners: ['platform'] },
  merchant_debt: {
    title: ['商户欠款', 'Owed by merchants'],
    code: '1101',
    owners: ['merchant'],
    never: 'credit',
  },
  distributor_debt: {
    title: ['分销员欠款', 'Owed by distributors'],
    code: '1102',
    owners: ['distributor'],
    never: 'credit',
  },
  escrow: {
    title: ['待核销款', 'Paid, not yet used'],
    code: '2001',
    owners: ['platform'],
    never: 'debit',
  },
  merchant_frozen: {
    title: ['商户冻结中（结算）', 'Merchants: on hold'],
    code: '2101',
    owners: ['merchant'],
    never: 'debit',
  },
  merchant_balance: {
    title: ['商户余额', 'Merchants: balance'],
    code: '2102',
    owners: ['merchant'],
    never: 'debit',
  },
  merchant_withdrawing: {
    title: ['商户提现中', 'Merchants: being withdrawn'],
    code: '2103',
    owners: ['merchant'],
    never: 'debit',
  },
  merchant_deposit: {
    title: ['商户保证金', 'Merchants: deposit'],
    code: '2104',
    owners: ['merchant'],
    never: 'debit',
  },
  distributor_frozen: {
    title: ['佣金冻结中', 'Commission on hold'],
    code: '2201',
    owners: ['distributor'],
    never: 'debit',
  },
  distributor_balance: {
    title: ['佣金余额', 'Commission balance'],
    code: '2202',
    owners: ['distributor'],
    never: 'debit',
  },
  distributor_withdrawing: {
    title: ['佣金提现中', 'Commission being withdrawn'],
    code: '2203',
    owners: ['distributor'],
    never: 'debit',
  },
  member_balance: {
    title: ['会员余额', 'Members: balance'],
    code: '2301',
    owners: ['member'],
    never: 'debit',
  },
  member_withdrawing: {
    title: ['会员提现中', 'Members: being withdrawn'],
    code: '2302',
    owners: ['member'],
    never: 'debit',
  },
  mall_fund: {
    title: ['商场资金', 'Funds of malls'],
    code: '2401',
    owners: ['mall'],
    never: 'debit',
  },
  plan_fund: {
    title: ['补贴计划资金（商场出资）', 'Plan money from malls'],
    code: '2402',
    owners: ['plan'],
    never: 'debit',
  },
  redpack_payable: {
    title: ['红包应付', 'Red packets to pay'],
    code: '2501',
    owners: ['plan'],
    never: 'debit',
  },
  tax_payable: { title: ['应交税费', 'Tax to pay'], code: '2601', owners: ['platform'] },
  prepaid_card: {
    title: ['预付卡余额', 'Prepaid cards'],
    code: '2701',
    owners: ['platform'],
    never: 'debit',
  },
  suspense: { title: ['待查款项', 'Suspense'], code: '2901', owners: ['platform'] },
  commission_income: { title: ['佣金收入', 'Commission'], code: '4001', owners: ['platform'] },
  service_income: { title: ['服务费收入', 'Service fees'], code: '4002', owners: ['platform'] },
  withdraw_fee_income: {
    title: ['提现手续费收入', 'Withdrawal fees'],
    code: '4003',
    owners: ['platform'],
  },
  card_income: { title: ['预付卡收入', 'Card income'], code: '4004', owners: ['platform'] },
  vip_income: { title: ['会员费收入', 'Membership fees'], code: '4005', owners: ['platform'] },
  subsidy_expense: {
    title: ['补贴支出', 'Subsidies'],
    code: '5001',
    owners: ['platform', 'plan'],
  },
  points_expense: { title: ['积分抵扣支出', 'Points'], code: '5002', owners: ['platform'] },
  distribution_expense: {
    title: ['分销佣金支出', 'Commission of distributors'],
    code: '5003',
    owners: ['platform'],
  },
  wechat_fee_expense: {
    title: ['微信手续费', 'WeChat fees'],
    code: '5004',
    owners: ['platform'],
  },
  bank_fee_expense: {
    title: ['银行费用与验证打款', 'Bank costs and account checks'],
    code: '5005',
    owners: ['platform'],
  },
} as const satisfies Record<string, Account>
export type AccountKind = keyof typeof accounts
export const accountKinds = Object.fromEntries(
  Object.entries(accounts).map(([kind, { title }]) => [kind, title]),
) as Readonly<Record<AccountKind, Text>>
/** The kinds whose balance never falls to a side: for a check of the table too. */
export const neverOn = (side: 'debit' | 'credit'): AccountKind[] =>
  (Object.keys(accounts) as AccountKind[]).filter(
    kind => (accounts[kind] as Account).never === side,
  )

/** What a transaction was for. */
export const businesses = {
  pay: ['支付', 'Payment'],
  fee: ['支付手续费', 'Payment fee'],
  refund: ['退款', 'Refund'],
  fee_back: ['手续费退回', 'Fee refund'],
  verify: ['核销/收货', 'Redeemed or received'],
  unverify: ['撤销核销', 'Redemption taken back'],
  settle: ['结算入账', 'Settlement'],
  debt_offset: ['抵扣欠款', 'Debt offset'],
  withdraw_apply: ['提现申请', 'Withdrawal asked'],
  withdraw_paid: ['提现打款', 'Withdrawal paid'],
  withdraw_back: ['提现退回', 'Withdrawal given back'],
  charge_in: ['充值', 'Money in'],
  charge_out: ['扣费', 'Charge'],
  deposit: ['保证金', 'Deposit'],
  subsidy_fund: ['补贴注资', 'Subsidy funding'],
  subsidy: ['补贴发放', 'Subsidy granted'],
  subsidy_back: ['补贴退回', 'Subsidy taken back'],
  clawback: ['追回补贴', 'Subsidy claimed back'],
  forfeit: ['定金罚没', 'Deposit forfeited'],
  card_sale: ['售卡', 'Card sold'],
  card_use: ['用卡', 'Card used'],
  card_expire: ['卡过期', 'Card expired'],
  card_expire_back: ['卡延期转回', 'Expiry taken back'],
  card_gift: ['赠卡', 'Card given'],
  card_gift_back: ['赠卡收回', 'Given card taken back'],
  vip_sale: ['售会员', 'Membership sold'],
  bank_sweep: ['微信结算到账', 'WeChat to bank'],
  adjust: ['调账', 'Adjustment'],
  reverse: ['红冲', 'Reversal'],
  commission: ['佣金结算', 'Commission settled'],
  commission_back: ['佣金扣回', 'Commission taken back'],
  merge: ['会员合并', 'Members merged'],
  bank_check: ['账户验证打款', 'Account check'],
} as const satisfies Record<string, Text>
export type Business = keyof typeof businesses

export type AccountOf = {
  kind: AccountKind
  owner_kind: OwnerKind
  /** 0 for the platform. */
  owner_id: number
}
export type PostingLine = AccountOf & {
  /** Debit positive, credit negative; never 0. */
  amount_cents: number
  order_id?: number | undefined
  line_id?: number | undefined
}
/** A balanced transaction, as it is asked for. */
export type Posting = {
  biz: Business
  biz_id: number
  /** The number of the document it is for, as people read it: of an order, a withdrawal … */
  biz_no: string
  /** The same key posts once, however often and from wherever it is asked for. */
  idem_key: string
  /** Unix seconds; its Shanghai day is the day of the books. */
  at: number
  memo?: string
  /** Where it belongs, for whoever sees only a city or a mall; none for the house's own. */
  place?: { city_id: number; mall_id: number }
  lines: readonly PostingLine[]
  reverses_id?: number
  maker_id?: number
  checker_id?: number
}

/** The name of an account within the journal: one for each kind and owner. */
export const accountKey = (of: AccountOf): string => `${of.kind}/${of.owner_kind}/${of.owner_id}`
/** An account of the house itself. */
export const ours = (kind: AccountKind): AccountOf => ({
  kind,
  owner_kind: 'platform',
  owner_id: 0,
})
/** An account of a merchant. */
export const merchants = (kind: AccountKind, owner_id: number): AccountOf => ({
  kind,
  owner_kind: 'merchant',
  owner_id,
})
/** An account of a seller (`distributor`). */
export const distributors = (kind: AccountKind, owner_id: number): AccountOf => ({
  kind,
  owner_kind: 'distributor',
  owner_id,
})
/** The line of a posting that moves an account by so much; none for zero. */
export const lineOf = (
  account: AccountOf,
  amount_cents: number,
  more: Pick<PostingLine, 'order_id' | 'line_id'> = {},
): PostingLine[] => {
  if (amount_cents === 0) return []
  // A demo has hundreds of thousands, and spreading takes its time.
  const { kind, owner_kind, owner_id } = account
  return [
    { kind, owner_kind, owner_id, amount_cents, order_id: more.order_id, line_id: more.line_id },
  ]
}

/** Why a posting is none (domain D, invariant 1); undefined when it is sound. */
export const postingFault = ({ lines }: Pick<Posting, 'lines'>): Text | undefined => {
  if (lines.length < 2) return ['一笔分录至少两行', 'A transaction has at least two lines']
  if (lines.some(line => !Number.isSafeInteger(line.amount_cents) || line.amount_cents === 0))
    return ['每行金额须为不为零的整数分', 'Each line is a whole number of cents and not zero']
  const odd = lines.find(line => {
    const owners: readonly OwnerKind[] = accounts[line.kind].owners
    return (
      !owners.includes(line.owner_kind) ||
      (line.owner_kind === 'platform') !== (line.owner_id === 0)
    )
  })
  if (odd) return ['账户与所有者不符', 'An account does not fit its owner']
  return lines.reduce((sum, line) => sum + line.amount_cents, 0) === 0
    ? undefined
    : ['借贷不平', 'Debit and credit differ']
}
/** Whether an account may have this balance. */
export const mayHave = (kind: AccountKind, balance_cents: number): boolean => {
  const { never } = accounts[kind] as Account
  return !(never === 'debit' && balance_cents > 0) && !(never === 'credit' && balance_cents < 0)
}
/** The posting that undoes another, line by line. */
export const reversalOf = (posted: Pick<Posting, 'lines'>): PostingLine[] =>
  posted.lines.map(line => ({ ...line, amount_cents: -line.amount_cents }))
