import type { Section } from '../command.ts'

export const section: Section = {
  key: 'user',
  title: '用户',
  en: 'Users',
  place: 88,
  icon: 'people',
}
