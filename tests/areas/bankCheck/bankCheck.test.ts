import { expect, it } from 'vitest'
import {
  accountFault,
  bankCheckStates,
  checkPosting,
  incompleteText,
  isWholeAccount,
  voidReasons,
} from '#src/areas/bankCheck/bankCheck.ts'
import { postingFault } from '#src/areas/ledger/ledger.ts'

const whole = {
  name: '测试餐饮有限公司',
  legal_name: '王大明',
  bank_kind: 'company',
  bank_holder: '测试餐饮有限公司',
  bank_name: '招商银行',
  bank_no: '6225880012345678',
} as const

it('takes a whole account of the merchant or of its legal person', () => {
  expect(accountFault(whole)).toBeUndefined()
  expect(accountFault({ ...whole, bank_kind: 'personal', bank_holder: '王大明' })).toBeUndefined()
  expect(accountFault({ ...whole, bank_kind: 'personal', bank_holder: '赵四' })?.[0]).toContain(
    '法人本人',
  )
  expect(accountFault({ ...whole, bank_holder: '别的公司' })?.[0]).toContain('商户名称')
})
it.each(['bank_kind', 'bank_holder', 'bank_name', 'bank_no'] as const)(
  'refuses an account without %s, and says how to mend it',
  field => {
    const of = { ...whole, [field]: null }
    expect(isWholeAccount(of)).toBe(false)
    expect(accountFault(of)).toBe(incompleteText)
  },
)
it('is posted as a cost of the house under one key', () => {
  const posting = checkPosting({ id: 7, amount_cents: 37, sent_at: 1_789_990_000 }, 1_790_000_000)
  expect(postingFault(posting)).toBeUndefined()
  expect(posting).toMatchObject({ biz_no: 'BV0000000007', idem_key: 'bank_check:7' })
})
it('has a word in both languages for each state and reason', () => {
  for (const words of [...Object.values(bankCheckStates), ...Object.values(voidReasons)])
    expect(words.every(Boolean)).toBe(true)
})
