import type { Section } from '../command.ts'

export const section: Section = {
  key: 'ecard',
  title: '电子卡',
  en: 'E-cards',
  place: 57,
  icon: 'gift',
}
