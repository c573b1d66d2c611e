/**
 * The commonest passwords of ten characters and more, as they recur in published lists of leaked ones: what is
 * tried first against any account. Shorter ones are refused by their length already. Compared without regard to
 * letter case.
 */
const FREQUENT_PASSWORDS: ReadonlySet<string> = new Set(
  `
!qaz2wsx3edc !qaz@wsx#edc 0000000000 00000000000 000000000000 0101010101 0123456789 01234567890
01234567891 0987654321 09876543210 1010101010 101010101010 1020304050 10203040506070 1029384756 1111111111
11111111111 111111111111 1111111112 1111122222 1122334455 112233445566 11223344556677 1212121212
121212121212 1231231231 123123123123 123321123321 1233211234 1234123412 123412341234 1234432112344321
1234512345 12345123451 1234554321 123456123456 1234567812345678 1234567890 12345678901 123456789012
1234567890123 12345678901234 123456789012345 12345678901234567890 1234567890a 1234567890q 1234567891
12345678910 1234567899 123456789a 123456789abc 123456789q 123456789qwe 123456789z 12345678qwe 1234567abc
1234567qwe 123456abcdef 123456qwert 123456qwerty 12345abcde 12345asdfg 12345qwert 12345qwerty 1234abcd12
1234abcd1234 1234qwer12 1234qwerasdf 123abc123abc 123qwe123qwe 123qweasd1 123qweasdzxc 1313131313
1314520520 1357908642 1357924680 13579246810 147147147147 1472583690 147258369147 1478523690 1592648370
159357159357 1593572846 1597534862 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
1q2w3e4r5t6y7u8i9o0p 1qaz1qaz1qaz 1qaz2wsx3e 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz@wsx3edc 1qazxsw2345
1qazxsw23edc 2121212121 2222222222 2468013579 2468101214 3333333333 3692581470 4444444444 5201314123
5201314520 5555555555 6666666666 7418529630 741852963741 7777777777 7894561230 789456123789 8888888888
9638527410 9876543210 98765432100 9999999999 9999999999999 a123456789 a1234567890 a12345678910 aa12345678
aa123456789 aaaaa11111 aaaaaaaaa1 aaaaaaaaaa aaaaaaaaaaa aaaaaaaaaaaa ab12345678 abc1234567 abc12345678
abc123456789 abc123abc123 abcabcabcabc abcd123456 abcd1234567 abcd12345678 abcd1234abcd abcdabcdabcd
abcde12345 abcdef1234 abcdef12345 abcdef123456 abcdefg123 abcdefg1234 abcdefgh12 abcdefghij abcdefghijk
abcdefghijkl abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abdullah123 abracadabra abracadabra1 access1234
accessdenied admin12345 admin123456 admin1234567 admin@1234 admin@12345 adminadmin adminadmin1
adminadmin123 administrator administrator1 administrator123 agent007007 alejandra1 alejandro1 alexander1
alexander123 alexandra1 alhamdulillah alpha12345 alphabravo alphaomega america123 america1776 american12
amoremio12 amoremio123 amsterdam1 amsterdam123 andrew1234 android123 angel12345 angel123456 angelangel
angels1234 anonymous1 anonymous123 anthony123 anything123 apple12345 area515151 argentina1 argentina123
arsenal123 arsenal1234 asd123asd123 asdasdasd1 asdasdasdasd asdf12345678 asdf1234asdf asdfasdfasdf
asdfghjkl1 asdfghjkl12 asdfghjkl123 asdfghjkl; asdfghjkl;' asdfghjklqwertyuiop asdfghjklzxcvbnm
assassinscreed asshole123 australia1 australia123 autumn2019 autumn2020 autumn2021 autumn2022 autumn2023
autumn2024 autumn2025 autumn2026 azerty1234 azerty12345 azerty123456 azertyuiop azertyuiop1
azertyuiopqsdfghjklm babybaby12 babyboy123 babygirl01 babygirl12 babygirl123 babygirl1234 babygirl13
babygirl15 babylon123 ballerina1 bangladesh bangladesh1 barcelona1 barcelona10 barcelona123 baseball12
baseball123 baseball1234 basketball basketball1 basketball12 basketball123 batman1234 batman12345
bayernmunich beautiful1 beautiful12 beautiful123 beautifulgirl beckham123 benfica1904 benjamin12
benjamin123 besiktas1903 bestfriend bestfriend1 bestfriends bestfriends1 birmingham birmingham1 bismillah1
bismillah123 bitchbitch blackangel blackberry blackberry1 blackhawk1 blessed123 blink182182 blueberry1
bmw1234567 bonjour123 bonjour1234 borussia09 borussia1909 brandon123 brasil1234 broncos123 buckeyes12
budweiser1 bulldog123 bulldogs12 bulldogs123 bulls23bulls bullshit12 bullshit123 business123 butterfly1
butterfly12 butterfly123 butterfly7 california california1 callofduty callofduty1 callofduty4 camaro1234
caroline12 catherine1 changeme12 changeme123 changeme1234 changemenow chargers21 charlie123 charlie1234
charlotte1 charlotte123 cheerleader cheerleader1 cheeseburger cheesecake cheesecake1 chelsea123 chelseafc1
chevrolet1 cheyenne12 chicagobulls chihuahua1 chocolat12 chocolate1 chocolate12 chocolate123 chocolatecake
christian1 christina1 christine1 christmas1 christmas123 christopher christopher1 ciaociao12 ciaociao123
cocacola12 cocacola123 coffee1234 colombia12 colombia123 colts18181 company123 computer12 computer123
computer1234 contrasena contrasena1 contraseña contraseña1 corinthians corinthians1 corvette12 corvette123
cowboys123 crimsontide cristiano7 cristianoronaldo crocodile1 daleearnhardt dallascowboys dancer1234
daniel1234 daniel12345 danielle12 danielle123 darkangel1 darkness12 darkness123 darthvader darthvader1
database12 database123 debian1234 december12 december123 december25 default123 default1234 defaultpassword
demo123456 demodemo12 devil66666 devilmaycry dogsandcats dolphin123 dolphins13 dontforget dontforget1
doudou1234 dragon1234 dragon12345 dragonball dragonball1 dragonballz dumbledore eagle12345 eagles1234
earnhardt3 edinburgh1 edsheeran1 elephant12 elephant123 elizabeth1 elizabeth12 elizabeth123 eminem1234
england123 estrella12 estrella123 evanescence everton123 everything everything1 example123 facebook12
facebook123 facebook1234 family1234 family12345 familyfirst fcbarcelona february12 february123 fenerbahce
fenerbahce1907 fernando12 fernando123 ferrari123 ferrari1234 firefox123 flamengo12 flamengo123 football12
football123 football1234 footballfootball forever123 forever1234 foreverandever foreverlove foreveryoung
forgetmenot forgotpassword fortnite12 fortnite123 forzajuve1 forzamilan forzanapoli foxtrot123 francesca1
freedom123 freedom1234 friday1234 friends123 friends4ever friendsforever friendship friendship1 fuckoff123
fuckyou123 fuckyou1234 fuckyou12345 fuckyoubitch fussball12 fussball123 gabriel123 galatasaray
galatasaray1905 gandalf123 gangster12 gangster123 gators1234 geheim1234 geheim12345 germany123 godbless12
godblessme godisgood1 godisgreat godislove1 goodluck12 goodluck123 goodmorning goodmorning1 goodnight1
google1234 google12345 greenday12 gryffindor guest12345 guestguest guillermo1 guitar1234 gymnastics
gymnastics1 hacker1234 hacker12345 hallo1234! hallo12345 hallo123456 hallohallo halloween1 halloween123
hamburger1 happiness1 happybirthday happyday12 happyhappy happylife1 harley1234 harleydavidson harrypotter
harrypotter1 heineken12 hello1234! hello12345 hello123456 hellohello hellohello1 hellokitty hellokitty1
hellokitty123 hellothere helloworld helloworld1 helloworld123 hermosa123 hindustan1 hogwarts123 honda12345
honeybee12 honeybunny hurricane1 iamawesome iamthebest iamthebest1 ichliebedich idontknow1 idontknow123
illuminati ilovechocolate ilovegod12 ilovehim123 ilovejesus ilovejesus1 ilovemusic ilovemydad
ilovemyfamily ilovemylife ilovemymom iloveyou1! iloveyou12 iloveyou123 iloveyou1234 iloveyou2! iloveyou22
iloveyou69 iloveyoubaby iloveyouforever iloveyoumore iloveyouso iloveyousomuch imawesome1 imthebest1
india12345 india123456 indonesia1 indonesia123 inshallah1 instagram1 instagram123 internet12 internet123
internet1234 iphone1234 ironmaiden ironmaiden666 isabella12 isabella123 jackdaniels jackdaniels1
jaihind123 jamesbond007 jamesbond1 jamesbond7 january123 jeffgordon24 jennifer12 jennifer123 jessica123
jessica1234 jesus12345 jesuschrist jesuschrist1 jesusisking jesusislord jesuslovesme jetaime123 johncena12
johncena123 johnlennon johnwalker jonathan12 jonathan123 jordan1234 jordan2323 joshua1234 justinbieber
justinbieber1 juventus12 juventus123 juventus1897 k123456789 katherine1 kawasaki12 kittycat12 kittycat123
kittykitty kobebryant kobebryant24 labrador12 lakers1234 lakers2424 lamborghini lamborghini1 lebron2323
lebronjames ledzeppelin letmein123 letmein1234 letmeinletmein letmeinnow letmeinplease liberty123
lightning1 linkedin12 linkedin123 linkinpark linkinpark1 linux12345 lion123456 lionelmessi liverpool1
liverpool12 liverpool123 liverpoolfc liverpoolfc1 lkjhgfdsa1 lkjhgfdsapoiuytrewq login12345 login123456
loginlogin longhorns1 lordoftherings losangeles loulou1234 lovehurts1 loveislife lovelife12 lovelove12
lovelove123 lovelovelove loverboy12 lovergirl1 loveyou123 loveyou1234 lucifer666 m123456789 madison123
mailmail123 malaysia12 malaysia123 manchester manchester1 manchesterunited manunited1 manutd1234
margarita1 marijuana1 marijuana420 marlboro12 marseille13 master1234 master12345 masterkey1 mastermind
matrix1234 matrix12345 matthew123 maverick12 maverick123 maximilian maximilian1 mercedes12 mercedes123
mercedesbenz messi101010 messi12345 metallica1 metallica12 metallica123 mexico1234 michael123 michael1234
michaeljackson michaeljordan michaeljordan23 mickeymouse mickeymouse1 micontrasena microsoft1 microsoft123
midnight12 midnight123 minecraft1 minecraft12 minecraft123 minecraft1234 minhasenha mitsubishi mitsubishi1
mnbvcxz123 mohammed12 mohammed123 monday1234 monkey1234 monkey12345 moonlight1 moonlight123 motdepasse
motdepasse1 motdepasse123 motherfucker motherfucker1 motorcycle motorcycle1 muhammad12 muhammad123
music12345 musicislife musiclover mustang123 mustang1234 mychemicalromance mypassword mypassword1
mypassword123 mysql12345 napoli1926 naruto1234 naruto12345 nascar2424 nascar8888 nathaniel1 ncc1701ncc1701
netherlands network123 newcastle1 newcastle123 newpassword newpassword1 newpassword123 newyork123
newyork1234 newyorkcity newyorkyankees neymar1234 neymarjr10 nicholas12 nicholas123 nigeria123 nighthawk1
nintendo12 nintendo64 nirvana123 nopass1234 nopassword1 nothing123 nothingness nottingham november10
november11 november12 november123 number1234 numberone1 oakland123 october123 office1234 office1234!
onedirection onedirection1 onepiece12 onepiece123 onetwo1234 onetwothree onetwothreefour opensesame
opensesame1 oracle1234 p@ssw0rd1! p@ssw0rd12 p@ssw0rd123 p@ssword12 p@ssword123 pa$$w0rd12 pa$$word123
packers123 packers12345 pakistan12 pakistan123 pakistan786 palmeiras1 passw0rd12 passw0rd123 passw0rd1234
password!! password01 password1! password12 password123 password123! password1234 password1234!
password12345 password123456 password2018 password2019 password2020 password2021 password2022 password2023
password2024 password2025 password2026 passwordispassword passwordpassword passwort12 passwort123
passwort1234 patricia12 patriot123 patriots12 patriots123 penguin123 penguins87 philippines phoenix123
phoenix1234 pikachu123 pineapple1 pineapple123 pinkfloyd1 playboy123 playboy1234 playstation playstation1
playstation2 playstation3 playstation4 playstation5 poiuytrewq pokemon123 pokemon1234 porsche123
porsche911 portugal123 postgres123 postgresql princesa12 princesa123 princess01 princess12 princess123
princess1234 private123 pussycat12 q123456789 q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
qazwsx1234 qazwsx12345 qazwsxedc1 qazwsxedc123 qazwsxedcr qazwsxedcrfv qazxsw1234 qazxswedcv qazxswedcvfr
qq123456789 qqqqqqqqqq qsdfghjklm qwe123qwe123 qweasdyxc1 qweasdzxc1 qweasdzxc12 qweasdzxc123 qweasdzxcv
qweqweqwe1 qweqweqweqwe qwer12345678 qwer1234asdf qwer1234qwer qwerasdfzxcv qwerty123! qwerty1234
qwerty12345 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyasdf qwertyasdfgh
qwertyasdfzxcv qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop12 qwertyuiop123 qwertyuiop123456
qwertyuiop[] raiders123 rainbow123 rainbow1234 raspberry1 realmadrid realmadrid1 rebecca123 redbull123
redsox1234 redsox2004 rememberme rememberme1 robert1234 roblox1234 rockstar12 rockstar123 rolltide12
ronaldo123 ronaldo777 rootroot12 rottweiler rottweiler1 s123456789 samantha12 samantha123 sample1234
samsung123 samsung1234 sasuke1234 satan66666 schalke04! schatz1234 schatz12345 scoobydoo1 scotland12
scotland123 seahawks12 seahawks123 sebastian1 sebastian12 sebastian123 secret1234 secret12345
secretpassword secretsecret security12 security123 security1234 selenagomez senha12345 senha123456
september1 september11 server1234 shadow1234 shadow12345 sierra1234 singapore1 singapore123 skateboard
skateboard1 skateboarding skywalker1 slipknot12 slipknot123 slipknot666 slytherin1 smokeweed420 snoopdogg1
snowball12 snowboard1 snowboarding snowflake1 something1 something123 sommer2020 sommer2021 sommer2022
sommer2023 sommer2024 sommer2025 sommer2026 southafrica spartan117 spartans12 spiderman1 spiderman12
spiderman123 spongebob1 spongebob12 spongebob123 sporting1906 sportingcp spring1234 spring2019 spring2020
spring2021 spring2022 spring2023 spring2024 spring2025 spring2026 starlight1 startrek12 startrek123
starwars12 starwars123 starwars1234 starwarsfan steelers12 steelers123 stephanie1 stephanie12 strawberry
strawberry1 strawberry12 subaru1234 summer1234 summer12345 summer2018 summer2019 summer2020 summer2021
summer2022 summer2023 summer2024 summer2025 summer2026 sunday1234 sunderland sunderland1 sunflower1
sunflower12 sunflower123 sunshine01 sunshine12 sunshine123 sunshine1234 supercalifragilisticexpialidocious
superman12 superman123 superman1234 supersecret supersecret1 superstar1 superstar123 superuser1 suzuki1234
sweetheart sweetheart1 sweetheart12 sweetie123 sweetpea12 switzerland systemadmin tarheels23 taylorswift
taylorswift13 teamoamor1 teamomucho temp123456 temporary1 temporary123 tequieromucho terminator
terminator1 test123456 test1234567 test12345678 test1234test tester1234 testing123 testing1234
testpassword testtest12 testtest123 testtesttest thailand12 thankyou12 thankyou123 thebeatles thepassword
thisismypassword thisispassword thomas1234 thunder123 thunder1234 thunderbird tiamoamore tiger12345
tigerwoods tinkerbell tinkerbell1 toortoor12 topsecret1 topsecret123 tottenham1 toyota1234 transformers
trojans123 trustno1!! trustno123 trustno1234 trustnoone tupacshakur twitter123 ubuntu1234 undertaker
unicorn123 unicorns12 user123456 user1234567 username12 username123 useruser12 valentina1 valentine1
vampire123 vascodagama venezuela1 veronica12 victoria12 victoria123 vietnam123 voldemort1 volkswagen
volkswagen1 volleyball volleyball1 watermelon watermelon1 welcome123 welcome123! welcome1234 welcome12345
welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 welcome@123
welcomehome werewolf12 whatever12 whatever123 whatever1234 whateverman whatsapp12 whatsapp123 whiskey123
wildcats12 wildcats123 william123 willkommen willkommen1 windows123 windows1234 winter1234 winter2018
winter2019 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 woaini123456
woaini1314 woaini520520 wolfpack12 wolverine1 wolverines wrestlemania xxxxxxxxxx yamaha1234 yankees123
yourpassword youtube123 z123456789 zachary123 zaq12wsx12 zaq12wsxcde3 zaq1xsw2cde3 zxc123zxc123 zxcvbnm,./
zxcvbnm123 zxcvbnm1234 zxcvbnm12345 zxcvbnmasdfghjkl zxcvbnmzxcvbnm zxczxczxczxc zzzzzzzzzz
`
    .trim()
    .split(/\s+/),
);

/** Runs up or down such a row are as common as they are long. */
const ROWS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** A password that repeats fewer characters than this is as weak as they are. */
const REPEATED_MAX = 3;

/** Whether a password is one of the commonest, nothing but a run along a row, or a few characters repeated. */
export function isFrequentPassword(password: string): boolean {
  const folded = password.toLowerCase();
  return FREQUENT_PASSWORDS.has(folded) || isRepetition(folded) || isRun(folded);
}

function isRepetition(text: string): boolean {
  for (let length = 1; length <= REPEATED_MAX; length += 1) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

/** Up or down one row, from its end on to its beginning. */
function isRun(text: string): boolean {
  return ROWS.some(row => {
    const rounds = row.repeat(Math.ceil(text.length / row.length) + 1);
    return rounds.includes(text) || rounds.includes(text.split('').reverse().join(''));
  });
}
