import { followsBy, page, type Section } from '../command.ts'

export const section: Section = {
  key: 'redeemCode',
  title: '兑换码',
  en: 'Redeem codes',
  place: 56,
  icon: 'gift',
}

export const batches = page('/manage/redeemCode/index', '兑换码批次', 'Redeem-code batches', {
  object: 'code_batch',
  keys: 'g x b',
  keepAlive: true,
  alias: ['兑换码', '合作方码', '激活码', 'redeem codes', 'vouchers for partners'],
})
export const batchAdd = page('/manage/redeemCode/index/add', '新增兑换码批次', 'New code batch', {
  menu: false,
  alias: ['生成兑换码', 'make codes'],
})
export const batchEdit = page(
  '/manage/redeemCode/index/edit/:id',
  '编辑兑换码批次',
  'Edit code batch',
  { menu: false, file: 'redeemCode/pages/index/add.tsx', object: 'code_batch' },
)
export const batchCopy = page(
  '/manage/redeemCode/index/copy/:id',
  '复制兑换码批次',
  'Copy code batch',
  { menu: false, file: 'redeemCode/pages/index/add.tsx' },
)
export const codeDesk = page('/manage/redeemCode/vertify', '兑换码核验台', 'Code desk', {
  object: 'redeem_code',
  keys: 'g x v',
  keepAlive: true,
  alias: ['扫码兑换', '核销兑换码', '代客兑换', 'redeem at the desk'],
})
export const records = page('/manage/redeemCode/redeem', '兑换记录', 'Redemption records', {
  object: 'redeem_log',
  keys: 'g x r',
  keepAlive: true,
  follows: followsBy('member_id'),
  alias: ['兑换失败', '补发奖励', '撞库', '合作方账单', 'redemptions', 'guessing'],
})
