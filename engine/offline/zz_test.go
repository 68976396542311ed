package offline
import ("testing";"time";"strings";"fmt";"github.com/annalsdb/annals/prompts")
func TestZZ(t *testing.T){ for _,s:=range []string{"a","\"","\"A\" ","Dr. ","A: b\n","A ","@a ","and I ","I like tea and ","A and ","my my's ","'s ","I have a a ","Anna's Anna's ","I live in Paris. ","is is ","no longer ","1 2 3 ","2 May "} {
 for _,src:=range []string{"message","text","json"}{
 e:=prompts.Episode{Source:src,Speaker:"Alice",Content:strings.Repeat(s,(1<<20)/len(s)),OccurredAt:time.Now()}; if src=="text"{e.Speaker=""}
 st:=time.Now(); read(e).entities(); if d:=time.Since(st); d>150*time.Millisecond{fmt.Printf("%q %s %v\n",s,src,d)}}}}
