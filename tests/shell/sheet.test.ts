// It is @drawn: filters are read from the elements of a page.
import { afterEach, expect, test } from 'vitest'
import { filtersIn, unroll } from '#src/shell/panes/sheet.ts'

afterEach(() => {
  document.body.innerHTML = ''
})
const pane = (html: string): Element => {
  document.body.innerHTML = `<section>${html}</section>`
  return document.body.firstElementChild!
}

test('the filters of a page are told as its controls show them, those that filter nothing left out', () => {
  const of = pane(`
    <div role="tablist">
      <button role="tab" aria-selected="true">待付款<span>12</span></button>
      <button role="tab" aria-selected="false">已完成<span>3</span></button>
    </div>
    <div class="m-filters">
      <input aria-label="单号" value=" EL17 "><input aria-label="手机号" value="">
      <select aria-label="城市"><option value="">全部</option><option value="3" selected>杭州</option></select>
      <select aria-label="商场"><option value="">全部</option><option value="0">商场外</option></select>
      <label><input type="checkbox" checked> 已超时</label>
      <label><input type="checkbox"> 渠道失败</label>
      <button class="bp6-active">近 7 天</button><button>门店</button>
    </div>`)
  expect(filtersIn(of)).toEqual(['待付款 12', '单号：EL17', '城市：杭州', '已超时', '近 7 天'])
})
test('the mall outside malls is a filter, though its value is 0', () => {
  const of = pane(
    '<p class="m-named"><select aria-label="商场"><option value="">全部</option><option value="0" selected>商场外</option></select></p>',
  )
  expect(filtersIn(of)).toEqual(['商场：商场外'])
})
test('a page that is kept behind the one in front has no say', () => {
  const of = pane(
    '<div style="display: none"><div class="m-filters"><input aria-label="单号" value="1"></div></div>',
  )
  expect(filtersIn(of)).toEqual([])
})
test('what scrolls is marked with all that it stands in, and given back as it was', () => {
  const of = pane(
    '<div id="a"><div id="b" style="overflow-x: auto; overflow-y: auto"><p id="c"></p></div><p id="d"></p></div>',
  )
  const marked = () => [...of.querySelectorAll('[data-unrolled]')].map(part => part.id)
  const back = unroll(of)
  expect(marked()).toEqual(['a', 'b'])
  back()
  expect(marked()).toEqual([])
})
