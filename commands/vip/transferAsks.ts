import { ask } from '../command.ts'

/** What WeCom tells a customer who is handed over; empty: its own words. */
export const customerNotice = ask.text({
  label: ['给客户的提示', 'Told to the customer'],
  max: 200,
  lines: 2,
  optional: true,
  hint: ['留空则使用企微默认提示', 'Empty: WeCom’s own words'],
})
