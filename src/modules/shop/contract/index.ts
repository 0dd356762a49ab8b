import { z } from 'zod'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { creditCodeFault, creditCodeOf } from '#src/areas/merchant/identity.ts'
import {
  bankKinds,
  merchantStates,
  settleCycles,
  type BankKind,
  type MerchantState,
  type SettleCycle,
} from '#src/areas/merchant/merchant.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  callable,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  open,
  page,
  revealed,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const state = keysOf<MerchantState>(merchantStates)
const effects = z.object({
  on_sale: z.int(),
  comes_back: z.int(),
  codes: z.int(),
  orders: z.int(),
  refunds: z.int(),
  unsettled_cents: cents,
  balance_cents: cents,
  deposit_cents: cents,
})
export const merchantRow = z.object({
  id,
  merchant_no: z.string(),
  name: z.string(),
  license_no: guarded('merchant.license_no', z.string()),
  license_expire_at: unix.nullable(),
  legal_name: z.string(),
  contact_name: guarded('merchant.contact_name', z.string()),
  contact_phone: guarded('merchant.contact_phone', z.string()),
  city_id: z.int(),
  city_name: z.string(),
  bd_admin_id: z.int().nullable(),
  bd_name: z.string(),
  contract_end_at: unix.nullable(),
  commission_bp: guarded('product.commission_bp', basisPoints),
  next_commission_bp: guarded('product.commission_bp', basisPoints.nullable()),
  commission_from_at: unix.nullable(),
  bank_kind: keysOf<BankKind>(bankKinds).nullable(),
  bank_name: z.string(),
  /** Masked for everybody: `revealBank` tells it in clear. */
  bank_no: guarded('merchant.bank_no', z.string()),
  settle_cycle: keysOf<SettleCycle>(settleCycles),
  deposit_cents: cents,
  open_store_count: z.int(),
  store_count: z.int(),
  on_sale_count: z.int(),
  gmv_30d_cents: guarded('stat.gmv_cents', cents),
  /** After-sale cases of 30 days. */
  cases_30d: z.int(),
  status: state,
  status_reason: z.string(),
  /** What became so far of what it applies for; null where it applies for nothing. */
  applied: keysOf<AuditState>(auditStates).nullable(),
  version,
  /** What hangs on it, where somebody asked (`effects`): an action tells it before it is done. */
  effects: effects.optional(),
})
export type MerchantRow = z.output<typeof merchantRow>

const filters = {
  keyword: searched(60).optional(),
  status: state.optional(),
  city_id: id.optional(),
  /** 0: whoever has no BD. */
  bd_admin_id: z.int().min(0).max(2147483647).optional(),
  /** Its contract ends within 30 days, or is over. */
  contract_ending: z.boolean().optional(),
  license_expiring: z.boolean().optional(),
  no_bank: z.boolean().optional(),
}
/** A credit code in its plain form, its check digit right. */
export const creditCode = text(30)
  .overwrite(creditCodeOf)
  .refine(code => creditCodeFault(code) === undefined, {
    message: joined(['信用代码不正确', 'Invalid credit code']),
  })
  .meta({ kind: 'credit_code' })
const contact = { contact_name: text(20), contact_phone: callable }
const call = callsOf('shop/index', { touches: ['merchant'], rows: 'merchant' })
const sales = ['merchant', 'product'] as const

/** The merchants behind the stores: their contracts, and whether they may sell. */
export const shopIndex = {
  lst: call.lists('lst', ['商户列表', 'Merchants'], {
    filters,
    row: merchantRow,
    answer: { stat: z.record(z.string(), z.int()) },
    touches: ['merchant', 'product', 'store'],
  }),
  /** What a freeze takes off sale, and what keeps a merchant from being terminated. */
  effects: call.read('effects', ['商户牵涉', 'Impact on a merchant'], {
    input: z.object({ id }),
    output: effects,
    touches: ['merchant', 'product', 'order', 'refund'],
    scope: placed('merchant', 'id'),
    permit: 'shop.index.view',
  }),
  /** Colleagues who may own a merchant; `owning` those who own one. */
  bds: call.read('bds', ['可选 BD', 'BDs to choose'], {
    input: z.object({ ...page, keyword: searched(32).optional(), owning: z.boolean().optional() }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: ['admin', 'merchant'],
    scope: placed('admin'),
    permit: 'shop.index.view',
  }),
  create: call.creates('create', ['新增商户', 'Create a merchant'], {
    fields: {
      name: text(60),
      license_no: creditCode,
      legal_name: text(20),
      ...contact,
      city_id: id,
    },
    scope: placed('merchant', { city_id: 'city' }),
  }),
  /** A frozen merchant changes its contact alone; what is not sent stays. */
  edit: call.changes('edit', ['编辑商户', 'Edit a merchant'], {
    fields: {
      name: text(60).optional(),
      contact_name: contact.contact_name.optional(),
      contact_phone: contact.contact_phone.optional(),
    },
  }),
  /** Sends a complete draft to be audited. */
  submit: call.changes('submit', ['提交审核', 'Submit a merchant'], {
    touches: ['merchant', 'application'],
  }),
  /** Takes back what it applies for, while nobody has decided it. */
  withdraw: call.changes('withdraw', ['撤回申请', 'Withdraw an application'], {
    touches: ['merchant', 'application'],
  }),
  freeze: call.changes('freeze', ['冻结商户', 'Freeze a merchant'], {
    fields: { reason },
    answer: { taken_off: z.int() },
    touches: sales,
  }),
  unfreeze: call.changes('unfreeze', ['解冻商户', 'Unfreeze a merchant'], {
    fields: { reason },
    answer: { given_back: z.int() },
    touches: sales,
  }),
  terminate: call.changes('terminate', ['终止合作', 'Terminate a merchant'], {
    fields: { reason },
    touches: ['merchant', 'product', 'store'],
  }),
  /** A new take rate holds from tomorrow on. */
  renew: call.changes('renew', ['续约', 'Renew a contract'], {
    fields: { contract_end_at: unix, commission_bp: basisPoints },
    answer: { given_back: z.int() },
    touches: sales,
  }),
  changeBd: call.changes('changeBd', ['更换 BD', 'Change the BD'], {
    fields: { admin_id: id, reason },
    touches: ['merchant', 'audit', 'application', 'bd'],
  }),
  resetPassword: call.changes('resetPassword', ['重置商家端密码', 'Reset the app password'], {
    fields: { reason },
    answer: { initial_password: z.string().nullable() },
  }),
  revealBank: call.write('revealBank', ['查看结算账户', 'Reveal the account'], {
    input: z.object({ id: one.id, reason }),
    output: z.object({
      id,
      holder: z.string(),
      bank_name: z.string(),
      bank_no: open('What was asked for', z.string()),
      ...revealed,
    }),
    touches: ['field_key'],
  }),
  export: call.startsExport('export', ['导出商户', 'Export merchants'], { filters }),
}
