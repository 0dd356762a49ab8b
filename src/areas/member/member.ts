import type { Text } from '#src/domain/text.ts'

export type AccountState = 'normal' | 'muted' | 'banned' | 'canceling' | 'canceled' | 'merged'
export const accountStates: Readonly<Record<AccountState, Text>> = {
  normal: ['正常', 'Normal'],
  muted: ['禁言', 'Muted'],
  banned: ['封禁', 'Banned'],
  canceling: ['注销中', 'Closing'],
  canceled: ['已注销', 'Closed'],
  merged: ['已合并', 'Merged'],
}
export type Gender = 'unknown' | 'male' | 'female'
export const genders: Readonly<Record<Gender, Text>> = {
  unknown: ['未知', 'Unknown'],
  male: ['男', 'Male'],
  female: ['女', 'Female'],
}
export type RegisterSource = 'mini_program' | 'h5' | 'app' | 'wecom' | 'import'
/** Where a member came from. */
export const registerSources: Readonly<Record<RegisterSource, Text>> = {
  mini_program: ['小程序', 'Mini-program'],
  h5: ['H5', 'Web'],
  app: ['App', 'App'],
  wecom: ['企业微信', 'WeCom'],
  import: ['导入', 'Imported'],
}
