import category from './server/category.ts'
import './server/drop.ts'
import floor from './server/floor.ts'
import hot from './server/hot.ts'
import malls from './server/mall.ts'
import map from './server/map.ts'
import recommend from './server/recommend.ts'
import shop from './server/shop.ts'

export default [map, malls, hot, ...recommend, floor, category, ...shop]
