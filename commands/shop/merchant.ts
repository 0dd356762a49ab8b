import { CENTS_MOST, incompleteText, noBankText } from '#src/areas/bankCheck/bankCheck.ts'
import { creditCodeFault } from '#src/areas/merchant/identity.ts'
import { merchantCan, type MerchantVerb } from '#src/areas/merchant/merchant.ts'
import { cityOptions } from '#src/contract/places.ts'
import { yuan } from '#src/domain/money.ts'
import { callableFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { merchantProfile, shopAdd, type MerchantProfile } from '#src/modules/shop/contract/add.ts'
import { shopBank } from '#src/modules/shop/contract/bankCheck.ts'
import {
  shopIndex as calls,
  merchantRow,
  type MerchantRow,
} from '#src/modules/shop/contract/index.ts'
import { action, ask, byAccount, to, type Told } from '../command.ts'
import { merchantForm, merchants } from '../pages/shop.ts'
import {
  asking,
  createAction,
  exportAction,
  formOf,
  idOf,
  one,
  reason,
  rowActions,
} from '../record.ts'

const can = (verb: MerchantVerb) => (row: MerchantRow) => merchantCan(verb, row)
/** What a freeze touches, where it was counted. */
const freezeTells = ([row]: readonly MerchantRow[]): Told | undefined =>
  row?.effects && [
    [
      '{on_sale} 件在售商品将下架，解冻后恢复；{codes} 张已售券码仍可核销；{money} 元待结算款暂扣',
      '{on_sale} products go off sale until it is unfrozen; {codes} sold codes stay redeemable; ¥{money} is withheld',
    ],
    {
      on_sale: row.effects.on_sale,
      codes: row.effects.codes,
      money: yuan(row.effects.unsettled_cents),
    },
  ]
const unfreezeTells = ([row]: readonly MerchantRow[]): Told | undefined =>
  row?.effects && [
    [
      '{n} 件因冻结下架的商品恢复在售，其他原因下架的不变；暂扣的 {money} 元恢复结算',
      '{n} products taken off sale by the freeze go back on sale, others don’t; the withheld ¥{money} is settled again',
    ],
    { n: row.effects.comes_back, money: yuan(row.effects.unsettled_cents) },
  ]
const terminateTells = ([row]: readonly MerchantRow[]): Told | undefined =>
  row?.effects && [
    [
      '未核销券码 {codes} 张，未完成订单 {orders} 个，处理中售后 {refunds} 个，未结算 {unsettled} 元，未提现 {balance} 元：全部为 0 才能终止；{on_sale} 件在售商品下架，门店关闭',
      '{codes} codes to redeem, {orders} orders to fulfil, {refunds} cases open, ¥{unsettled} to settle, ¥{balance} to pay out: all must be 0; {on_sale} products go off sale, stores close',
    ],
    {
      codes: row.effects.codes,
      orders: row.effects.orders,
      refunds: row.effects.refunds,
      unsettled: yuan(row.effects.unsettled_cents),
      balance: yuan(row.effects.balance_cents),
      on_sale: row.effects.on_sale,
    },
  ]

const name = ask.text({
  label: ['商户名称', 'Name'],
  max: 60,
  hint: ['与营业执照一致', 'As on the business licence'],
})
const contactName = ask.text({ label: ['联系人', 'Contact'], max: 20 })
const contactPhone = ask.text({
  label: ['联系电话', 'Phone'],
  max: 30,
  check: value => (value.includes('*') ? undefined : callableFault(value)),
})
/** A value that came masked, or not at all, and was left so is not sent back. */
const unlessMasked = <K extends string>(key: K, value: string | undefined) =>
  !value || value.includes('*') ? {} : ({ [key]: value } as Record<K, string>)
const createForm = formOf(
  {
    name,
    license_no: ask.text({
      label: ['统一社会信用代码', 'Credit code'],
      max: 30,
      check: creditCodeFault,
    }),
    legal_name: ask.text({ label: ['法人', 'Legal person'], max: 20 }),
    contact_name: contactName,
    contact_phone: contactPhone,
    city_id: ask.entity({
      label: ['城市', 'City'],
      find: cityOptions,
      labelOf: row => row.city_name,
    }),
  },
  asked => asked,
)
const row = rowActions(merchants, merchantRow)
const editForm = formOf(
  {
    name: { ...name, shown: (_, rows) => rows[0]?.status !== 'frozen' },
    contact_name: { ...contactName, optional: true },
    contact_phone: { ...contactPhone, optional: true },
  },
  asked => ({
    ...unlessMasked('name', asked.name),
    ...unlessMasked('contact_name', asked.contact_name),
    ...unlessMasked('contact_phone', asked.contact_phone),
  }),
)

/** What is done with merchants on their list. */
export const merchantActions = {
  create: createAction(calls.create, ['新增商户', 'New merchant'], merchants, createForm),
  edit: row.row(calls.edit, ['编辑商户', 'Edit merchant'], {
    key: 'e',
    main: true,
    when: can('contact'),
    asks: editForm.asks,
    input: asking(editForm.input),
  }),
  fill: row.row('shop.index.fill', ['填写资料', 'Fill in the form'], {
    key: 'm',
    permit: merchantForm.permit,
    when: can('apply'),
    to: rows => to(merchantForm, idOf(rows)),
  }),
  submit: row.row(calls.submit, ['提交审核', 'Submit for audit'], {
    key: 's',
    main: 'plain',
    when: can('submit'),
    input: one,
    takenBack: 'opposite',
  }),
  withdraw: row.row(calls.withdraw, ['撤回申请', 'Withdraw'], {
    key: 'shift+s',
    when: of =>
      of.applied === null ? ['没有审核中的申请', 'No application in audit'] : can('withdraw')(of),
    input: one,
    takenBack: 'opposite',
  }),
  freeze: row.row(calls.freeze, ['冻结商户', 'Freeze'], {
    key: 'f',
    danger: true,
    main: 'plain',
    when: can('freeze'),
    tells: freezeTells,
    asks: { reason },
    input: asking(asked => asked),
  }),
  unfreeze: row.row(calls.unfreeze, ['解冻商户', 'Unfreeze'], {
    key: 'u',
    main: 'plain',
    when: can('unfreeze'),
    tells: unfreezeTells,
    asks: { reason },
    input: asking(asked => asked),
  }),
  renew: row.row(calls.renew, ['续约', 'Renew'], {
    key: 'n',
    when: can('renew'),
    asks: {
      contract_end_at: ask.time({
        label: ['新的到期时间', 'New end'],
        initial: rows => rows[0]?.contract_end_at ?? undefined,
      }),
      rate: ask.number({
        label: ['抽佣比例（%）', 'Take rate (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'commission_bp',
        initial: rows => (rows[0]?.commission_bp ?? 0) / 100,
        hint: [
          '次日生效，不影响已售订单',
          'Takes effect tomorrow; orders already sold are unaffected',
        ],
      }),
    },
    input: (rows, { contract_end_at, rate }) => ({
      ...one(rows),
      contract_end_at: contract_end_at ?? 0,
      commission_bp: Math.round(rate * 100),
    }),
  }),
  changeBd: row.row(calls.changeBd, ['更换 BD', 'Change the BD'], {
    key: 'b',
    when: can('changeBd'),
    asks: {
      admin_id: ask.entity({
        label: ['新的 BD', 'New BD'],
        find: calls.bds,
        by: byAccount,
        labelOf: person => `${person.name} ${person.account}`,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  revealBank: row.row(calls.revealBank, ['查看结算账户', 'Reveal the account'], {
    key: 'v',
    when: ({ bank_kind }) =>
      bank_kind !== null || ['没有登记结算账户', 'No settlement account yet'],
    asks: { reason: { ...reason, hint: ['会记入操作日志', 'This is logged'] } },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  resetPassword: row.row(calls.resetPassword, ['重置商家端密码', 'Reset the app password'], {
    key: 'p',
    when: can('resetPassword'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  terminate: row.row(calls.terminate, ['终止合作', 'Terminate'], {
    danger: true,
    when: can('terminate'),
    tells: terminateTells,
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出商户', 'Export merchants'], merchants),
}
const formRow = rowActions(merchantForm, merchantProfile)
/** True, or why nothing is paid to the account of this merchant now. */
const mayPay = (of: MerchantProfile): true | Text => {
  const { bank } = of
  if (merchantCan('verifyBank', of) !== true) return merchantCan('verifyBank', of)
  if (!bank.is_connected) return noBankText
  if (!bank.is_whole) return incompleteText
  if (bank.verified_at !== null) return ['账户已验证', 'The account is verified']
  if (bank.check?.state === 'sending')
    return ['上一笔正在打款，请稍候', 'The last payment is still on its way; wait a moment']
  return bank.left_today > 0 || ['今天的 3 次已用完', 'All 3 attempts for today are used']
}
/** What is done with the form of a merchant. */
export const merchantFormActions = {
  submit: action(shopAdd.submit, {
    title: '提交审核',
    en: 'Submit for audit',
    key: 'mod+enter',
    at: merchantForm,
    main: true,
  }),
  saveDraft: action(shopAdd.saveDraft, {
    title: '保存草稿',
    en: 'Save draft',
    key: 'mod+s',
    at: merchantForm,
    main: true,
  }),
  ocrLicense: action('shop.index.add.ocrLicense', {
    title: '识别营业执照',
    en: 'Read the licence',
    key: 'mod+shift+e',
    at: merchantForm,
    permit: shopAdd.ocrLicense.permit,
    alias: ['执照识别', 'OCR'],
  }),
  verifyBank: formRow.row(shopBank.verifyBank, ['打款验证账户', 'Verify account by payment'], {
    key: 'v',
    when: mayPay,
    tells: ([of]) =>
      of && [
        [
          '向已保存的结算账户打款 0.01–0.99 元，费用由平台承担；金额不显示，由商户查看流水后告知。今天还可 {n} 次',
          'Pays ¥0.01–0.99 to the saved account at the platform’s cost. The amount is not shown; the merchant reads it from the bank statement. {n} left today',
        ],
        { n: of.bank.left_today },
      ],
    input: one,
    takenBack: 'final',
    alias: ['小额打款', '账户验证'],
  }),
  confirmBank: formRow.row(shopBank.confirmBank, ['填写到账金额', 'Enter the amount received'], {
    key: 'shift+v',
    when: ({ bank: { check } }) =>
      check?.state === 'waiting' || ['没有等待金额的打款', 'No payment awaits an amount'],
    asks: {
      amount: ask.money({
        label: ['到账金额（元）', 'Amount received (yuan)'],
        min: 1,
        max: CENTS_MOST,
        hint: [
          '商户银行流水上的金额，如 0.37；3 次不符即作废',
          'The amount on the merchant’s statement, e.g. 0.37; void after three wrong attempts',
        ],
      }),
    },
    input: ([of], { amount }) => ({
      ...idOf([of!]),
      no: of!.bank.check?.no ?? '',
      amount_cents: amount,
    }),
  }),
  checkDuplicate: action('shop.index.add.checkDuplicate', {
    title: '检查重复商户',
    en: 'Check for duplicates',
    key: 'd',
    at: merchantForm,
    permit: shopAdd.checkDuplicate.permit,
  }),
}
