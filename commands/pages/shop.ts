import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'shop',
  title: '商户门店',
  en: 'Merchants and stores',
  place: 45,
  opens: 'index',
  icon: 'people',
}

export const merchants = page('/manage/shop/index', '商户列表', 'Merchants', {
  object: 'merchant',
  keys: 'g p m',
  keepAlive: true,
  alias: ['商家', '合同到期', '冻结商户', 'sellers', 'contracts'],
})
