import { z } from 'zod'
import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'home',
  title: '工作台',
  en: 'Workbench',
  place: 0,
  icon: 'home',
}

export const home = page('/manage', '工作台', 'Workbench home', {
  menu: false,
  keys: 'g h',
  keepAlive: true,
  permit: 'signed-in',
  file: 'home/pages/index.tsx',
})
/**
 * What there is to read, beside the work: an article or a word (`commands/articles.ts`,
 * `areas/workbench/glossary.ts`).
 */
export const help = page('/manage/help', '帮助', 'Help', {
  menu: false,
  keys: 'g shift+h',
  permit: 'signed-in',
  file: 'help/pages/index.tsx',
  search: z.looseObject({ id: z.string().max(40).optional() }),
  alias: ['帮助中心', '名词解释', '教程', 'glossary', 'articles'],
})
