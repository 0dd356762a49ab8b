import { z } from 'zod'
import {
  applicationKinds,
  askedItems,
  type ApplicationKind,
  type AskedItem,
} from '#src/areas/application/application.ts'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import {
  bankNoFault,
  bankNoOf,
  nationalIdFault,
  nationalIdOf,
} from '#src/areas/merchant/identity.ts'
import {
  bankKinds,
  merchantStates,
  settleCycles,
  type BankKind,
  type MerchantState,
  type SettleCycle,
} from '#src/areas/merchant/merchant.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  basisPoints,
  callable,
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { bankStanding } from './bankCheck.ts'
import { creditCode } from './index.ts'
import { READING_MS, readingOf } from './licence.ts'

const licence = z.object({ name: text(40), no: text(40), expire_at: unix.nullable() })
const nationalId = text(30)
  .overwrite(nationalIdOf)
  .refine(no => nationalIdFault(no) === undefined, {
    message: joined(['身份证号不正确', 'Invalid ID number']),
  })
  .meta({ kind: 'national_id' })
const bankNo = text(30)
  .overwrite(bankNoOf)
  .refine(no => bankNoFault(no) === undefined, {
    message: joined(['结算账号不正确', 'Invalid account number']),
  })
  .meta({ kind: 'bank_no' })
/** What is not sent stays; a guarded field is sent only where it changes. */
const fields = {
  name: text(60),
  license_no: creditCode,
  license_image: keyText(255).default(''),
  license_expire_at: unix.nullable().default(null),
  legal_name: text(20),
  legal_id_no: nationalId.optional(),
  contact_name: text(20, 0).optional(),
  contact_phone: callable.optional(),
  city_id: id,
  category_ids: z.array(id).max(20).default([]),
  licenses: z.array(licence).max(20).default([]),
  bank_kind: keysOf<BankKind>(bankKinds).nullable().default(null),
  bank_holder: text(60, 0).default(''),
  bank_name: text(60, 0).default(''),
  bank_no: bankNo.optional(),
  contract_no: text(30, 0).default(''),
  contract_start_at: unix.nullable().default(null),
  contract_end_at: unix.nullable().default(null),
  commission_bp: basisPoints.optional(),
  settle_cycle: keysOf<SettleCycle>(settleCycles).default('weekly'),
  deposit_cents: cents.min(0).default(0),
}
const category = z.object({ id, name: z.string(), need_licenses: z.array(z.string()) })
export const merchantProfile = z.object({
  id,
  name: z.string(),
  license_no: guarded('merchant.license_no', z.string()),
  license_image: z.string(),
  license_expire_at: unix.nullable(),
  legal_name: z.string(),
  legal_id_no: guarded('merchant.legal_id_no', z.string()),
  contact_name: guarded('merchant.contact_name', z.string()),
  contact_phone: guarded('merchant.contact_phone', z.string()),
  city_id: z.int(),
  city_name: z.string(),
  bd_name: z.string(),
  categories: z.array(category),
  licenses: z.array(
    z.object({
      name: z.string(),
      no: guarded('merchant.license_no', z.string()),
      expire_at: unix.nullable(),
    }),
  ),
  bank_kind: keysOf<BankKind>(bankKinds).nullable(),
  bank_holder: z.string(),
  bank_name: z.string(),
  /** Masked for everybody, as in the list. */
  bank_no: guarded('merchant.bank_no', z.string()),
  /** It tells of the account that holds now, not of one that is only applied for. */
  bank: bankStanding,
  contract_no: guarded('store.contract_no', z.string()),
  contract_start_at: unix.nullable(),
  contract_end_at: unix.nullable(),
  commission_bp: guarded('product.commission_bp', basisPoints),
  settle_cycle: keysOf<SettleCycle>(settleCycles),
  deposit_cents: cents,
  /** What it applies for and nobody has decided; the values are those asked for where more was. */
  application: z
    .object({
      kind: keysOf<ApplicationKind>(applicationKinds),
      state: keysOf<AuditState>(auditStates),
      reason: z.string(),
      asked: z.array(keysOf<AskedItem>(askedItems)),
    })
    .nullable(),
  status: keysOf<MerchantState>(merchantStates),
  version,
})
export type MerchantProfile = z.output<typeof merchantProfile>
const path = 'shop/index/add'
const touches = ['merchant'] as const

/** The application of a merchant: a draft until it is audited. */
export const shopAdd = {
  detail: read(`${path}/detail`, ['商户资料', 'Merchant form'], {
    input: z.object({ id }),
    output: merchantProfile,
    touches: ['merchant', 'bank_check'],
    scope: placed('merchant', 'id'),
    permit: 'shop.index.add.view',
  }),
  /** Categories to trade in, with the licences that each asks for. */
  categories: read(`${path}/categories`, ['可选经营类目', 'Categories to choose'], {
    input: z.object({ ...page, keyword: searched(32).optional() }),
    output: listOf(category),
    touches: ['category'],
    scope: 'all',
    permit: 'shop.index.add.view',
  }),
  /** It tells who has this credit code, by name and BD, wherever they stand. */
  checkDuplicate: read(`${path}/checkDuplicate`, ['检查重复商户', 'Check for duplicates'], {
    input: z.object({ license_no: text(30), but: id.optional() }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          name: z.string(),
          bd_name: z.string(),
          city_name: z.string(),
          status: keysOf<MerchantState>(merchantStates),
        }),
      ),
    }),
    touches,
    scope: 'all',
    permit: 'shop.index.add.checkDuplicate',
  }),
  /** Reads an uploaded picture of a licence; nothing is kept of it. */
  ocrLicense: read(`${path}/ocrLicense`, ['识别营业执照', 'Read the licence'], {
    input: z.object({ image: keyText(255, 1) }),
    output: z.object(
      readingOf(open('What a picture says that the asker looks at', z.string()).optional()),
    ),
    touches: [],
    scope: { none: 'It reads a picture that the asker names, and no row' },
    permit: 'shop.index.add.ocrLicense',
    patience_ms: READING_MS,
  }),
  /** Makes a draft, or changes the one of `id` as it was read. */
  saveDraft: write(`${path}/saveDraft`, ['保存商户草稿', 'Save a merchant’s draft'], {
    input: z.object({ id: id.optional(), version: version.optional(), ...fields }),
    output: z.object({ id, version }),
    touches,
    scope: placed('merchant', { id: 'merchant', city_id: 'city' }),
    permit: 'shop.index.add.saveDraft',
  }),
  /**
   * Saves a draft and sends it to be audited; of a merchant that trades, sends what is to be
   * otherwise.
   */
  submit: write(`${path}/submit`, ['提交审核', 'Submit for audit'], {
    input: z.object({ id: id.optional(), version: version.optional(), ...fields }),
    output: z.object({ id, version }),
    touches: ['merchant', 'application'],
    scope: placed('merchant', { id: 'merchant', city_id: 'city' }),
    permit: 'shop.index.add.submit',
  }),
}
