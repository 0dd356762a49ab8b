import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const ofCity = ['homePage', 'categoryHome', 'categoryBrandConfigPage'].map(
  page => `config.entry.${page}.*`,
)
export const grants: DemoGrants = {
  ops_director: [...ofCity, 'brand.index.config.*'],
  city_manager: ofCity,
  content: [...ofCity, 'brand.index.config.*'],
}
