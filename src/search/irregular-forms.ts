/** Irregular English forms by base: what a stemmer cannot derive. The verbs and plurals that are common in notes. Kept
 * as text, since building a map takes longer than all lookups of a call. No form occurs twice. */
const FORMS =
  ' be:am,is,are,was,were,been,being begin:began,begun break:broke,broken bring:brought build:built buy:bought catch:caught choose:chose,chosen come:came ' +
  'do:did,done,does draw:drew,drawn drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen feel:felt fight:fought find:found fly:flew,flown,flies ' +
  'forget:forgot,forgotten forgive:forgave,forgiven get:got,gotten give:gave,given go:went,gone,goes grow:grew,grown hang:hung have:had,has hear:heard ' +
  'hide:hid,hidden hold:held keep:kept know:knew,known lead:led leave:left lend:lent lose:lost make:made mean:meant meet:met pay:paid ride:rode,ridden ' +
  'ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen seek:sought sell:sold send:sent shake:shook,shaken shine:shone shoot:shot show:shown ' +
  'sing:sang,sung sink:sank,sunk sit:sat sleep:slept speak:spoke,spoken spend:spent stand:stood steal:stole,stolen stick:stuck strike:struck ' +
  'swear:swore,sworn sweep:swept swim:swam,swum swing:swung take:took,taken teach:taught tear:tore,torn tell:told think:thought throw:threw,thrown ' +
  'understand:understood wake:woke,woken wear:wore,worn win:won write:wrote,written child:children man:men woman:women person:people foot:feet ' +
  'tooth:teeth mouse:mice life:lives wife:wives knife:knives bite:bit,bitten blow:blew,blown dig:dug feed:fed freeze:froze,frozen bend:bent bind:bound ' +
  'deal:dealt dream:dreamt learn:learnt lie:lain,lied,lies,lying light:lit lay:laid ' +
  'override:overrode,overridden overwrite:overwrote,overwritten rewrite:rewrote,rewritten rebuild:rebuilt rerun:reran resend:resent ' +
  'undo:undid,undone redo:redid,redone withdraw:withdrew,withdrawn shrink:shrank,shrunk spin:spun prove:proven rethrow:rethrew,rethrown ' +
  'panic:panicked,panicking mimic:mimicked,mimicking become:became mistake:mistook,mistaken misunderstand:misunderstood unwind:unwound ' +
  'forbid:forbade,forbidden weave:wove,woven foresee:foresaw,foreseen rethink:rethought redraw:redrew,redrawn cling:clung bleed:bled ' +
  'half:halves maximum:maxima minimum:minima quiz:quizzes optimum:optima ' +
  'add:added,adding matrix:matrices ' +
  'try:tried,tries cry:cried,cries dry:dried,dries fry:fried,fries spy:spied,spies die:died,dies,dying tie:tied,ties,tying ';

/** Returns the base of an irregular form; any other word unchanged. */
export function baseForm(word: string): string {
  if (word === '') return word;
  for (let at = FORMS.indexOf(word); at >= 0; at = FORMS.indexOf(word, at + 1)) {
    if (!isForm(at, at + word.length)) continue;
    const start = FORMS.lastIndexOf(' ', at) + 1;
    return FORMS.slice(start, FORMS.indexOf(':', start));
  }
  return word;
}

/** True when the stretch is a whole form, not a base or part of another word. */
function isForm(start: number, end: number): boolean {
  return ':,'.includes(FORMS.charAt(start - 1)) && ', '.includes(FORMS.charAt(end));
}

/** Returns the irregular forms of a base; empty when it has none. */
export function irregularForms(base: string): readonly string[] {
  const at = FORMS.indexOf(` ${base}:`);
  if (at < 0) return [];
  return FORMS.slice(at + base.length + 2, FORMS.indexOf(' ', at + 1)).split(',');
}

/** Stems that Porter's stemmer produces for words of one root, each followed by the usual stem: those of deployment and
 * deploy, of statuses and status, of behaviour and behavior. The words are common in software notes; kept as text for
 * the reason above. A stem that is also that of another word (indic, of indices and indicate) is not listed. */
const OTHER_STEMS =
  ' acquisit:acquir alias:alia amplif:amplifi analogu:analog analys:analyz anonymis:anonym ' +
  'appendic:appendix artefact:artifact assumpt:assum atlas:atla authoris:author behaviour:behavior ' +
  'bias:bia bonus:bonu buse:bu campus:campu canvas:canva capitalis:capit catalogu:catalog catalys:catalyz ' +
  'categoris:categor census:censu centr:center centralis:central characteris:character clarif:clarifi ' +
  'classif:classifi colour:color consumpt:consum containeris:container corpora:corpu corpus:corpu ' +
  'crise:crisi criteria:criterion criticis:critic customis:custom decentralis:decentr decis:decid ' +
  'defenc:defens definit:defin deliveri:deliv denial:deni denormalis:denorm deploy:deploi descript:describ ' +
  'deserialis:deseri destruct:destroi dialogu:dialog digitis:digit discoveri:discov economis:econom ' +
  'emphasis:emphas endeavour:endeavor energis:energ equalis:equal expans:expand expiri:expir ' +
  'explan:explain exposur:expos extens:extend failur:fail favour:favor favourit:favorit fibr:fiber ' +
  'finalis:final flavour:flavor focus:focu formalis:formal frequenc:frequent generalis:gener ' +
  'globalis:global grei:grai harmonis:harmon honour:honor hypothes:hypothesi identif:identifi ' +
  'initialis:initi internationalis:internation itemis:item judgement:judgment justif:justifi labour:labor ' +
  'legalis:legal licenc:licens localis:local mainten:maintain materialis:materi maximis:maxim ' +
  'memois:memoiz memoris:memor minimis:minim mobilis:mobil modernis:modern modif:modifi modularis:modular ' +
  'monetis:monet neighbour:neighbor neutralis:neutral normalis:normal notif:notifi occurr:occur ' +
  'offenc:offens optimis:optim organis:organ parallelis:parallel paralys:paralyz personalis:person ' +
  'practis:practic prioritis:priorit programm:program pseudonymis:pseudonym qualif:qualifi quantis:quantiz ' +
  'queu:queue radii:radiu randomis:random realis:realiz recognis:recogn recoveri:recov recurr:recur ' +
  'reduct:reduc regularis:regular reorganis:reorgan resolut:resolv respons:respond rumour:rumor ' +
  'sanitis:sanit sceptic:skeptic serialis:serial simplif:simplifi specialis:special specif:specifi ' +
  'stabilis:stabil standardis:standard status:statu subscript:subscrib success:succe summaris:summar ' +
  'suspens:suspend symbolis:symbol synchronis:synchron tenanc:tenant tokenis:token unauthoris:unauthor unif:unifi ' +
  'utilis:util vectoris:vector verif:verifi virtualis:virtual virus:viru visualis:visual ';

/** Returns the usual stem of the root of a stem; the stem itself where there is no other. */
export function usualStem(stem: string): string {
  const at = OTHER_STEMS.indexOf(` ${stem}:`);
  if (at < 0) return stem;
  const start = at + stem.length + 2;
  return OTHER_STEMS.slice(start, OTHER_STEMS.indexOf(' ', start));
}

/** Returns the other stems of the root of a usual stem. */
export function otherStems(usual: string): string[] {
  const found: string[] = [];
  const end = `:${usual} `;
  for (let at = OTHER_STEMS.indexOf(end); at >= 0; at = OTHER_STEMS.indexOf(end, at + 1))
    found.push(OTHER_STEMS.slice(OTHER_STEMS.lastIndexOf(' ', at) + 1, at));
  return found;
}
