import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'customer',
  title: '客户运营',
  en: 'Customers',
  place: 82,
  icon: 'people',
}

export const groupsPage = page('/manage/customer/groups', '客户分群', 'Segments', {
  object: (row: { id: number; is?: string }) =>
    row.is === undefined ? (['segment', row.id] as const) : undefined,
  keys: 'g k g',
  keepAlive: true,
  alias: ['人群包', '圈人', '静态名单', '分群规则', '交并差', 'audiences', 'segments'],
})
