/** Irregular English forms by their base: what a stemmer cannot find. The common verbs and plurals that people write down. */
const FORMS =
  'be:am,is,are,was,were,been,being begin:began,begun break:broke,broken bring:brought build:built buy:bought catch:caught choose:chose,chosen come:came ' +
  'do:did,done,does draw:drew,drawn drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen feel:felt fight:fought find:found fly:flew,flown ' +
  'forget:forgot,forgotten forgive:forgave,forgiven get:got,gotten give:gave,given go:went,gone grow:grew,grown hang:hung have:had,has hear:heard ' +
  'hide:hid,hidden hold:held keep:kept know:knew,known lead:led leave:left lend:lent lose:lost make:made mean:meant meet:met pay:paid ride:rode,ridden ' +
  'ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen seek:sought sell:sold send:sent shake:shook,shaken shine:shone shoot:shot show:shown ' +
  'sing:sang,sung sink:sank,sunk sit:sat sleep:slept speak:spoke,spoken spend:spent stand:stood steal:stole,stolen stick:stuck strike:struck ' +
  'swear:swore,sworn sweep:swept swim:swam,swum swing:swung take:took,taken teach:taught tear:tore,torn tell:told think:thought throw:threw,thrown ' +
  'understand:understood wake:woke,woken wear:wore,worn win:won write:wrote,written child:children man:men woman:women person:people foot:feet ' +
  'tooth:teeth mouse:mice life:lives wife:wives knife:knives bite:bit,bitten blow:blew,blown dig:dug feed:fed freeze:froze,frozen bend:bent bind:bound ' +
  'deal:dealt dream:dreamt learn:learnt lie:lay,lain light:lit lay:laid';

const FORMS_BY_BASE = new Map(
  FORMS.split(' ').map((entry) => {
    const [base = '', forms = ''] = entry.split(':');
    return [base, forms.split(',')] as const;
  }),
);
const BASE_BY_FORM = new Map([...FORMS_BY_BASE].flatMap(([base, forms]) => forms.map((form) => [form, base] as const)));

/** The base of an irregular form; the word itself when it is none. */
export function baseForm(word: string): string {
  return BASE_BY_FORM.get(word) ?? word;
}

/** The irregular forms of a base; empty when it has none. */
export function irregularForms(base: string): readonly string[] {
  return FORMS_BY_BASE.get(base) ?? [];
}
