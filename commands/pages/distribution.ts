import type { Section } from '../command.ts'

export const section: Section = {
  key: 'distribution',
  title: '分销',
  en: 'Distribution',
  place: 75,
  icon: 'people',
}
