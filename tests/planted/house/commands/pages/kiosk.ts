import { page, type Section } from '#commands/command.ts'

export const section: Section = { key: 'kiosk', title: '自助机', en: 'Kiosks', place: 90 }

export const machines = page('/manage/kiosk/machine', '自助机列表', 'Kiosks', { object: 'kiosk' })
