import type { Section } from '../command.ts'

export const section: Section = {
  key: 'vip',
  title: '会员',
  en: 'Members',
  place: 80,
  icon: 'crown',
}
