import type { Section } from '../command.ts'

export const section: Section = {
  key: 'film',
  title: '影票',
  en: 'Film tickets',
  place: 78,
  icon: 'film',
}
