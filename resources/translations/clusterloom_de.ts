<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Charts</name>
    <message>
        <source>%1 warp of %2 to %3 %4, %5 busy</source>
        <translation>%1 Warp mit %2 bis %3 %4, %5 beschäftigt</translation>
    </message>
    <message>
        <source>fewer searches</source>
        <translation>weniger Suchen</translation>
    </message>
    <message>
        <source>fewer comparisons</source>
        <translation>weniger Vergleiche</translation>
    </message>
    <message>
        <source>balanced lanes</source>
        <translation>ausgeglichene Lanes</translation>
    </message>
    <message>
        <source>shorter tail</source>
        <translation>kürzeres Ende</translation>
    </message>
    <message>
        <source>memory and the rest</source>
        <translation>Speicher und Übriges</translation>
    </message>
    <message>
        <source>gain over %1 (factor)</source>
        <translation>Gewinn gegenüber %1 (Faktor)</translation>
    </message>
    <message>
        <source>gain %1</source>
        <translation>Gewinn %1</translation>
    </message>
    <message>
        <source>whole gain</source>
        <translation>ganzer Gewinn</translation>
    </message>
    <message>
        <source>k-distance</source>
        <translation>k-Distanz</translation>
    </message>
    <message>
        <source>Distance to the k-th nearest point, k = minPts; drag the line to set ε</source>
        <translation>Wie weit der k-nächste Punkt entfernt ist, k = minPts; die Linie ziehen, um ε zu setzen</translation>
    </message>
    <message>
        <source>ε sweep</source>
        <translation>ε-Durchlauf</translation>
    </message>
    <message>
        <source>Clusters, noise and largest cluster over a range of ε</source>
        <translation>Cluster, Rauschen und größter Cluster über einen Bereich von ε</translation>
    </message>
    <message>
        <source>warp load</source>
        <translation>Warp-Last</translation>
    </message>
    <message>
        <source>What every warp of a GPU does and how long its lanes idle</source>
        <translation>Was jeder Warp einer GPU tut und wie lange seine Lanes untätig sind</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>Batches</translation>
    </message>
    <message>
        <source>When the batches of a run compute, transfer and end</source>
        <translation>Wann die Batches eines Laufs rechnen, übertragen und enden</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Comparison of strategies: warps, times, results</source>
        <translation>Vergleich von Strategien: Warps, Zeiten, Ergebnisse</translation>
    </message>
    <message>
        <source>cost of k</source>
        <translation>Kosten von k</translation>
    </message>
    <message>
        <source>The predicted cost of indexing k dimensions</source>
        <translation>Was das Indizieren von k Dimensionen voraussichtlich kostet</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Every exact run of this session</source>
        <translation>Jeder exakte Lauf dieser Sitzung</translation>
    </message>
    <message>
        <source>processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>How CPU and GPU share the queries of a join, measured or modelled</source>
        <translation>Wie CPU und GPU die Abfragen eines Joins teilen, gemessen oder modelliert</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>The clusters of every ε as a tree, and the clusters that HDBSCAN* selects</source>
        <translation>Die Cluster für jedes ε als Baum und die Cluster, die HDBSCAN* auswählt</translation>
    </message>
    <message>
        <source>reachability</source>
        <translation>Erreichbarkeit</translation>
    </message>
    <message>
        <source>The reachability plot: clusters are valleys; drag the line to set ε</source>
        <translation>Der Erreichbarkeitsplot: Cluster sind Täler; die Linie ziehen, um ε zu setzen</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>What each rank of a divided run does over time, and how well they share the work</source>
        <translation>Was jeder Rank eines aufgeteilten Laufs im Lauf der Zeit tut und wie gut sie die Arbeit teilen</translation>
    </message>
    <message>
        <source>ε × minPts</source>
        <translation>ε × minPts</translation>
    </message>
    <message>
        <source>Exact numbers of clusters and noise over ε and minPts; a click sets both</source>
        <translation>Cluster und Rauschen über ε und minPts, exakt; ein Klick übernimmt beide</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>The expected time of a join for increasing numbers of ranks</source>
        <translation>Wie lange ein Join auf immer mehr Ranks voraussichtlich dauert</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <source>, transfer %1</source>
        <translation>, Übertragung %1</translation>
    </message>
    <message>
        <source>, table %1</source>
        <translation>, Tabelle %1</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 Paare</translation>
    </message>
    <message>
        <source>time since the join began (ms)</source>
        <translation>Zeit seit Beginn des Joins (ms)</translation>
    </message>
    <message>
        <source>modelled time (%1)</source>
        <translation>modellierte Zeit (%1)</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>predicted end</source>
        <translation>vorhergesagtes Ende</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>modelled, kernels only</source>
        <translation>modelliert, nur Kernel</translation>
    </message>
    <message>
        <source>%1, predicted %2</source>
        <translation>%1, vorhergesagt %2</translation>
    </message>
    <message>
        <source>indexed dimensions k</source>
        <translation>indizierte Dimensionen k</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>cell searches</source>
        <translation>Zellsuchen</translation>
    </message>
    <message>
        <source>coordinates read</source>
        <translation>gelesene Koordinaten</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>measured, fastest run</source>
        <translation>gemessen, schnellster Lauf</translation>
    </message>
    <message>
        <source>cheapest: k = %1</source>
        <translation>am günstigsten: k = %1</translation>
    </message>
    <message>
        <source>below ε %1</source>
        <translation>unter ε %1</translation>
    </message>
    <message>
        <source>the same from %1 to %2</source>
        <translation>gleich von %1 bis %2</translation>
    </message>
    <message>
        <source>the same from %1</source>
        <translation>gleich ab %1</translation>
    </message>
    <message>
        <source>clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>noise %</source>
        <translation>Rauschen %</translation>
    </message>
    <message>
        <source>largest cluster %</source>
        <translation>größter Cluster %</translation>
    </message>
    <message>
        <source>noise %1 · largest %2</source>
        <translation>Rauschen %1 · größter %2</translation>
    </message>
    <message>
        <source>points, farthest neighbours first (%)</source>
        <translation>Punkte, entfernteste Nachbarn zuerst (%)</translation>
    </message>
    <message>
        <source>%1-distance</source>
        <translation>%1-Distanz</translation>
    </message>
    <message>
        <source>knee %1</source>
        <translation>Knick %1</translation>
    </message>
    <message>
        <source>all %1 points</source>
        <translation>alle %1 Punkte</translation>
    </message>
    <message>
        <source>sample of %1 points</source>
        <translation>Stichprobe von %1 Punkten</translation>
    </message>
    <message>
        <source>set ε %1</source>
        <translation>ε %1 setzen</translation>
    </message>
    <message>
        <source>ε %1 · %2 core</source>
        <translation>ε %1 · %2 Kern</translation>
    </message>
    <message>
        <source>step of the warp</source>
        <translation>Schritt des Warps</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>Lane</translation>
    </message>
    <message>
        <source>lane %1 has no query</source>
        <translation>Lane %1 hat keine Abfrage</translation>
    </message>
    <message>
        <source>lane %1 (point %2) · step %3, %4</source>
        <translation>Lane %1 (Punkt %2) · Schritt %3, %4</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>compares with point %1</source>
        <translation>wird mit Punkt %1 verglichen</translation>
    </message>
    <message>
        <source>point %1 is within ε</source>
        <translation>Punkt %1 liegt innerhalb von ε</translation>
    </message>
    <message>
        <source>modelled · warp %1</source>
        <translation>modelliert · Warp %1</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>hit</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>weighted steps</source>
        <translation>gewichtete Schritte</translation>
    </message>
    <message>
        <source>time since the first warp began (ms)</source>
        <translation>Zeit seit Beginn des ersten Warps (ms)</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source> ± unknown</source>
        <translation> ± unbekannt</translation>
    </message>
    <message>
        <source>a sample of %1 of %2 warps</source>
        <translation>Stichprobe von %1 aus %2 Warps</translation>
    </message>
    <message>
        <source>%1: %2 multiprocessors × %3 warps, %4 GHz</source>
        <translation>%1: %2 Multiprozessoren × %3 Warps, %4 GHz</translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>Warp %1</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>%1 beschäftigt</translation>
    </message>
    <message>
        <source>multiprocessor</source>
        <translation>Multiprozessor</translation>
    </message>
    <message>
        <source>full occupancy</source>
        <translation>voll belegt</translation>
    </message>
    <message>
        <source>low</source>
        <translation>wenig belegt</translation>
    </message>
    <message>
        <source>ideal end</source>
        <translation>ideales Ende</translation>
    </message>
    <message>
        <source>measured · makespan %1 × the ideal, %2</source>
        <translation>gemessen · Gesamtdauer %1 × die ideale, %2</translation>
    </message>
    <message>
        <source>modelled · makespan %1 × the ideal, %2</source>
        <translation>modelliert · Gesamtdauer %1 × die ideale, %2</translation>
    </message>
    <message>
        <source>multiprocessor %1</source>
        <translation>Multiprozessor %1</translation>
    </message>
    <message>
        <source>%1 noise</source>
        <translation>%1 Rauschen</translation>
    </message>
    <message>
        <source>%1 in the largest cluster</source>
        <translation>%1 im größten Cluster</translation>
    </message>
    <message>
        <source>ring join</source>
        <translation>Ring-Join</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>join</source>
        <translation>Join</translation>
    </message>
    <message>
        <source>move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>replicated join</source>
        <translation>replizierter Join</translation>
    </message>
    <message>
        <source>fixed deal</source>
        <translation>feste Verteilung</translation>
    </message>
    <message>
        <source>of single queries</source>
        <translation>aus einzelnen Abfragen</translation>
    </message>
    <message>
        <source>ring %1, efficiency %2</source>
        <translation>Ring %1, Effizienz %2</translation>
    </message>
    <message>
        <source>index %1, join %2, imbalance %3</source>
        <translation>Index %1, Join %2, Ungleichgewicht %3</translation>
    </message>
    <message>
        <source>replicated %1, efficiency %2</source>
        <translation>repliziert %1, Effizienz %2</translation>
    </message>
    <message>
        <source>by a fixed deal %1, of single queries %2</source>
        <translation>fest verteilt %1, aus einzelnen Abfragen %2</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>without loss</source>
        <translation>ohne Verlust</translation>
    </message>
    <message>
        <source>no batches</source>
        <translation>keine Batches</translation>
    </message>
    <message>
        <source>imbalance %1: </source>
        <translation>Ungleichgewicht %1: </translation>
    </message>
    <message>
        <source>the CPU did everything</source>
        <translation>die CPU hat alles erledigt</translation>
    </message>
    <message>
        <source>the GPU did everything</source>
        <translation>die GPU hat alles erledigt</translation>
    </message>
    <message>
        <source>both ended together</source>
        <translation>beide endeten gleichzeitig</translation>
    </message>
    <message>
        <source>the GPU ended %1 before the CPU</source>
        <translation>die GPU endete %1 vor der CPU</translation>
    </message>
    <message>
        <source>the CPU ended %1 before the GPU</source>
        <translation>die CPU endete %1 vor der GPU</translation>
    </message>
    <message>
        <source>all %1 queries on one processor</source>
        <translation>alle %1 Abfragen auf einem Prozessor</translation>
    </message>
    <message>
        <source>the GPU was given %1 of the queries, %2 of the candidates</source>
        <translation>die GPU bekam %1 der Abfragen, %2 der Kandidaten</translation>
    </message>
    <message>
        <source>CPU and GPU met after %1 of the queries, %2 of the candidates</source>
        <translation>beide trafen sich nach %1 der Abfragen, %2 der Kandidaten</translation>
    </message>
    <message>
        <source>predicted %1, took %2</source>
        <translation>vorhergesagt %1, gebraucht %2</translation>
    </message>
    <message>
        <source>GPU stream %1</source>
        <translation>GPU-Stream %1</translation>
    </message>
    <message>
        <source>CPU thread %1</source>
        <translation>CPU-Thread %1</translation>
    </message>
    <message>
        <source>, places %1 to %2</source>
        <translation>, Plätze %1 bis %2</translation>
    </message>
    <message>
        <source>%1 candidates, %2 per query</source>
        <translation>%1 Kandidaten, %2 je Abfrage</translation>
    </message>
    <message>
        <source>, including transfer %1</source>
        <translation>, davon Übertragung %1</translation>
    </message>
    <message>
        <source>order</source>
        <translation>Folge</translation>
    </message>
    <message>
        <source>time since the pass began</source>
        <translation>Zeit seit Beginn des Durchgangs</translation>
    </message>
    <message>
        <source>modelled time</source>
        <translation>modellierte Zeit</translation>
    </message>
    <message>
        <source>candidates per query</source>
        <translation>Kandidaten je Abfrage</translation>
    </message>
    <message>
        <source> · GPU above the line, CPU below</source>
        <translation> · GPU über der Linie, CPU darunter</translation>
    </message>
    <message>
        <source> · imbalance on the left</source>
        <translation> · Ungleichgewicht links</translation>
    </message>
    <message>
        <source> · CPU and GPU met here</source>
        <translation> · hier trafen sich beide</translation>
    </message>
    <message>
        <source>read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>divide</source>
        <translation>Aufteilen</translation>
    </message>
    <message>
        <source>ghosts</source>
        <translation>Ghost-Punkte</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Nummerieren</translation>
    </message>
    <message>
        <source>write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>beschäftigt</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>sending and receiving</source>
        <translation>Senden und Empfangen</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>Rank %1 auf %2</translation>
    </message>
    <message>
        <source>%1B sent · busy %2, waiting %3, sending and receiving %4</source>
        <translation>%1B gesendet · beschäftigt %2, Warten %3, Senden und Empfangen %4</translation>
    </message>
    <message>
        <source>time since all ranks began</source>
        <translation>Zeit seit Beginn aller Ranks</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>imbalance %1</source>
        <translation>Ungleichgewicht %1</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>Punkt %1</translation>
    </message>
    <message>
        <source>first in the order</source>
        <translation>erster der Reihenfolge</translation>
    </message>
    <message>
        <source>reachable from ε %1</source>
        <translation>erreichbar ab ε %1</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>cluster %1</source>
        <translation>Cluster %1</translation>
    </message>
    <message>
        <source>points in the order of the tree of clusters</source>
        <translation>Punkte in der Reihenfolge des Clusterbaums</translation>
    </message>
    <message>
        <source>%1 points · mutual reachability</source>
        <translation>%1 Punkte · gegenseitige Erreichbarkeit</translation>
    </message>
    <message>
        <source>reachability (ε)</source>
        <translation>Erreichbarkeit (ε)</translation>
    </message>
    <message>
        <source>index + join (ms)</source>
        <translation>Index + Join (ms)</translation>
    </message>
    <message>
        <source>selectivity</source>
        <translation>Selektivität</translation>
    </message>
    <message>
        <source>(median of %1, %2 to %3)</source>
        <translation>(Median von %1, %2 bis %3)</translation>
    </message>
    <message>
        <source>selectivity %1</source>
        <translation>Selektivität %1</translation>
    </message>
    <message>
        <source>%1 of a warp</source>
        <translation>%1 eines Warps</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>%1 warps of %2 to %3 %4, %5 busy</source>
        <translation>%1 Warps mit %2 bis %3 %4, %5 beschäftigt</translation>
    </message>
    <message>
        <source> · outside the sample</source>
        <translation> · außerhalb der Stichprobe</translation>
    </message>
    <message>
        <source>, fewer steps than any in it</source>
        <translation>, weniger Schritte als alle darin</translation>
    </message>
    <message>
        <source>, more steps than any in it</source>
        <translation>, mehr Schritte als alle darin</translation>
    </message>
    <message>
        <source>from ε %1 down to %2</source>
        <translation>von ε %1 bis hinab zu %2</translation>
    </message>
    <message>
        <source>down to %1</source>
        <translation>bis hinab zu %1</translation>
    </message>
    <message>
        <source>stability %1</source>
        <translation>Stabilität %1</translation>
    </message>
    <message>
        <source>%1 cluster taken of %2 · at least %3 points each</source>
        <translation>%1 Cluster ausgewählt von %2 · je mindestens %3 Punkte</translation>
    </message>
    <message>
        <source>%1 clusters taken of %2 · at least %3 points each</source>
        <translation>%1 Cluster ausgewählt von %2 · je mindestens %3 Punkte</translation>
    </message>
    <message>
        <source>%1 warps from %2 on · mean %3, %4 to %5 %6, %7 busy</source>
        <translation>%1 Warps ab %2 · Mittel %3, %4 bis %5 %6, %7 beschäftigt</translation>
    </message>
    <message>
        <source>sampled warp, in order of launch</source>
        <translation>Warp der Stichprobe, in Startreihenfolge</translation>
    </message>
    <message>
        <source>warp, in order of launch</source>
        <translation>Warp, in Startreihenfolge</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>längster</translation>
    </message>
    <message>
        <source>clouds</source>
        <translation>Punktwolken</translation>
    </message>
    <message>
        <source>The open clouds beside each other: clusters, noise, adjusted Rand index</source>
        <translation>Die geöffneten Punktwolken nebeneinander: Cluster, Rauschen, angepasster Rand-Index</translation>
    </message>
    <message>
        <source>unweighted WEE</source>
        <translation>ungewichtete WEE</translation>
    </message>
    <message numerus="yes">
        <source>%1 replays</source>
        <comment>1 replay</comment>
        <translation>
            <numerusform>1 Wiederholung</numerusform>
            <numerusform>%1 Wiederholungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 warps</source>
        <comment>1 warp</comment>
        <translation>
            <numerusform>1 Warp</numerusform>
            <numerusform>%1 Warps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 batches</source>
        <comment>1 batch</comment>
        <translation>
            <numerusform>1 Batch</numerusform>
            <numerusform>%1 Batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 clusters</source>
        <comment>1 cluster</comment>
        <translation>
            <numerusform>1 Cluster</numerusform>
            <numerusform>%1 Cluster</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 queries</source>
        <comment>1 query</comment>
        <translation>
            <numerusform>1 Abfrage</numerusform>
            <numerusform>%1 Abfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <comment>1 rank</comment>
        <translation>
            <numerusform>1 Rank</numerusform>
            <numerusform>%1 Ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 points</source>
        <comment>1 point</comment>
        <translation>
            <numerusform>1 Punkt</numerusform>
            <numerusform>%1 Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ghosts</source>
        <comment>1 ghost</comment>
        <translation>
            <numerusform>1 Ghost-Punkt</numerusform>
            <numerusform>%1 Ghost-Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>every lane is active in %1 steps</source>
        <translation>jede Lane ist in %1 Schritten aktiv</translation>
    </message>
    <message>
        <source>lane %1: %2 steps, longest</source>
        <translation>Lane %1: %2 Schritte, am längsten</translation>
    </message>
    <message>
        <source>lane %1: %2 steps, shortest</source>
        <translation>Lane %1: %2 Schritte, am kürzesten</translation>
    </message>
    <message>
        <source>on average %1</source>
        <translation>im Mittel %1</translation>
    </message>
    <message>
        <source>lanes without a query: %1</source>
        <translation>Lanes ohne Abfrage: %1</translation>
    </message>
    <message>
        <source>found again %</source>
        <translation>wiedergefunden %</translation>
    </message>
    <message>
        <source>found again %1</source>
        <translation>wiedergefunden %1</translation>
    </message>
    <message>
        <source>stability %</source>
        <translation>Stabilität %</translation>
    </message>
    <message>
        <source>stability %1 (%2 to %3)</source>
        <translation>Stabilität %1 (%2 bis %3)</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>building the trees of clusters</source>
        <translation>Bäume der Cluster werden gebaut</translation>
    </message>
    <message>
        <source>resampling</source>
        <translation>Stichproben werden gezogen</translation>
    </message>
    <message>
        <source>clustering in blocks</source>
        <translation>Clustern in Blöcken</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>How pairs are found. With grid and no other option of a strategy the engine may take products, and on a CPU kd-tree or, for counts, super-ego, where it expects them to be faster; any other option, such as --reorder on, keeps the grid. Most of the options below are for the method grid. r-tree, super-ego, new-super-ego and kd-tree run on the CPU, products on the CPU or one GPU, g-dbscan on a GPU and for DBSCAN only. super-ego and new-super-ego also take --precision, new-super-ego --order work-queue, g-dbscan --short-circuit</source>
        <translation>Wie Paare gefunden werden. Mit grid und ohne eine andere Option einer Strategie kann die Engine products nehmen, auf einer CPU auch kd-tree oder, für Zählungen, super-ego, wo sie voraussichtlich schneller sind; jede andere Option, etwa --reorder on, bleibt beim Gitter. Die meisten Optionen darunter gelten für die Methode grid. r-tree, super-ego, new-super-ego und kd-tree laufen auf der CPU, products auf der CPU oder einer GPU, g-dbscan auf einer GPU und nur für DBSCAN. super-ego und new-super-ego nehmen auch --precision an, new-super-ego --order work-queue, g-dbscan --short-circuit</translation>
    </message>
    <message>
        <source>The R-tree follows [Gowanlock 2018]. Super-EGO and New-Super-EGO follow [Gallet 2020], but compare each pair of sequences once instead of twice. G-DBSCAN follows [Frasson 2021]. Its version with shared tiles is Clusterloom&apos;s own: it copies all candidates to shared memory, tile by tile; the paper&apos;s version copies only the points of the block. Products and the k-d tree are Clusterloom&apos;s own, too. Products compares all points by integer products of rounded coordinates; the k-d tree compares groups of 16 near points with the nodes of a tree. Products, and on the CPU the k-d tree, are chosen automatically where they are predicted to cost less than the grid</source>
        <translation>Der R-Baum folgt [Gowanlock 2018]. Super-EGO und New-Super-EGO folgen [Gallet 2020], vergleichen aber jedes Paar von Sequenzen nur einmal statt zweimal. G-DBSCAN folgt [Frasson 2021]. Die Fassung mit gemeinsamen Kacheln stammt von Clusterloom: Sie kopiert alle Kandidaten Kachel für Kachel in den gemeinsamen Speicher; die Fassung der Arbeit kopiert nur die Punkte des Blocks. Auch Produkte und der k-d-Baum stammen von Clusterloom. Produkte vergleicht alle Punkte durch ganzzahlige Produkte gerundeter Koordinaten; der k-d-Baum vergleicht Gruppen von 16 nahen Punkten mit den Knoten eines Baums. Produkte, und auf der CPU der k-d-Baum, werden automatisch gewählt, wo sie voraussichtlich weniger als das Gitter kosten</translation>
    </message>
    <message>
        <source>grid</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>brute force</source>
        <translation>alle Paare</translation>
    </message>
    <message>
        <source>R-tree</source>
        <translation>R-Baum</translation>
    </message>
    <message>
        <source>Super-EGO</source>
        <translation>Super-EGO</translation>
    </message>
    <message>
        <source>New-Super-EGO</source>
        <translation>New-Super-EGO</translation>
    </message>
    <message>
        <source>k-d tree</source>
        <translation>k-d-Baum</translation>
    </message>
    <message>
        <source>products, rounded</source>
        <translation>Produkte, gerundet</translation>
    </message>
    <message>
        <source>G-DBSCAN, paper</source>
        <translation>G-DBSCAN, Original</translation>
    </message>
    <message>
        <source>G-DBSCAN, no transfer</source>
        <translation>G-DBSCAN, ohne Übertragung</translation>
    </message>
    <message>
        <source>G-DBSCAN, shifted access</source>
        <translation>G-DBSCAN, versetzter Zugriff</translation>
    </message>
    <message>
        <source>G-DBSCAN, shared memory</source>
        <translation>G-DBSCAN, gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>G-DBSCAN, shared tiles</source>
        <translation>G-DBSCAN, gemeinsame Kacheln</translation>
    </message>
    <message>
        <source>Indexed dims (k)</source>
        <translation>Indizierte Dim. (k)</translation>
    </message>
    <message>
        <source>How many dimensions of the cloud the grid indexes</source>
        <translation>Wie viele Dimensionen der Punktwolke das Gitter indiziert</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Which cells a query point is compared with</source>
        <translation>Mit welchen Zellen ein Abfragepunkt verglichen wird</translation>
    </message>
    <message>
        <source>Full, UNICOMP and LID-UNICOMP follow the papers. Tile is Clusterloom&apos;s own: query points of neighbouring cells read rows of cells together</source>
        <translation>Voll, UNICOMP und LID-UNICOMP folgen den Arbeiten. Kachel stammt von Clusterloom: Abfragepunkte benachbarter Zellen lesen Zeilen von Zellen gemeinsam</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>UNICOMP</source>
        <translation>UNICOMP</translation>
    </message>
    <message>
        <source>LID-UNICOMP</source>
        <translation>LID-UNICOMP</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>The order in which query points are processed</source>
        <translation>Die Reihenfolge, in der Abfragepunkte bearbeitet werden</translation>
    </message>
    <message>
        <source>WORKQUEUE differs from the paper in two ways. The first lane of a warp takes the tickets of all query points of the warp at once; in the paper each query point takes its own ticket. Batches have about the same number of pairs; in the paper they have the same number of query points</source>
        <translation>WORKQUEUE weicht auf zwei Arten von der Arbeit ab. Die erste Lane eines Warps zieht die Nummern aller Abfragepunkte des Warps auf einmal; in der Arbeit zieht jeder Abfragepunkt seine eigene Nummer. Batches haben etwa gleich viele Paare; in der Arbeit haben sie gleich viele Abfragepunkte</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>unit bins</source>
        <translation>Einheits-Bins</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>SORTBYWL</source>
        <translation>SORTBYWL</translation>
    </message>
    <message>
        <source>WORKQUEUE</source>
        <translation>WORKQUEUE</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Number of bits with which distances are computed first; distances close to ε are always decided in 64 bits</source>
        <translation>Bits, mit denen Distanzen zuerst berechnet werden; Distanzen nahe bei ε werden immer mit 64 Bit entschieden</translation>
    </message>
    <message>
        <source>64-bit</source>
        <translation>64 Bit</translation>
    </message>
    <message>
        <source>32-bit, rechecked</source>
        <translation>32 Bit, nachgeprüft</translation>
    </message>
    <message>
        <source>Threads/point</source>
        <translation>Threads/Punkt</translation>
    </message>
    <message>
        <source>GPU threads that share a query point; a CPU supports only 1</source>
        <translation>GPU-Threads, die sich einen Abfragepunkt teilen; eine CPU unterstützt nur 1</translation>
    </message>
    <message>
        <source>REORDER</source>
        <translation>REORDER</translation>
    </message>
    <message>
        <source>Index the dimensions of highest variance first</source>
        <translation>Die Dimensionen mit der größten Varianz zuerst indizieren</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>SORTIDU</source>
        <translation>SORTIDU</translation>
    </message>
    <message>
        <source>Sort the points of each cell by one more dimension, and compare only those within ±ε in it</source>
        <translation>Die Punkte jeder Zelle nach einer weiteren Dimension sortieren und nur die vergleichen, die in ihr innerhalb von ±ε liegen</translation>
    </message>
    <message>
        <source>SHORTC</source>
        <translation>SHORTC</translation>
    </message>
    <message>
        <source>Stop computing a distance once its partial sum is above ε²</source>
        <translation>Die Berechnung einer Distanz beenden, sobald ihre Teilsumme über ε² liegt</translation>
    </message>
    <message>
        <source>In G-DBSCAN auto means off</source>
        <translation>Bei G-DBSCAN bedeutet auto aus</translation>
    </message>
    <message>
        <source>Dense cells</source>
        <translation>Dichte Zellen</translation>
    </message>
    <message>
        <source>Treat the points of a cell as one set if all of them are neighbours</source>
        <translation>Die Punkte einer Zelle als eine Menge behandeln, wenn sie alle Nachbarn sind</translation>
    </message>
    <message>
        <source>Early stop</source>
        <translation>Früher Abbruch</translation>
    </message>
    <message>
        <source>Stop counting neighbours at minPts</source>
        <translation>Das Zählen der Nachbarn bei minPts beenden</translation>
    </message>
    <message>
        <source>Result route</source>
        <translation>Ergebnisweg</translation>
    </message>
    <message>
        <source>How a GPU returns pairs to the host</source>
        <translation>Wie eine GPU Paare an den Host zurückgibt</translation>
    </message>
    <message>
        <source>count, scan, fill</source>
        <translation>zählen, summieren, füllen</translation>
    </message>
    <message>
        <source>key/value pairs, sorted</source>
        <translation>Schlüssel-Wert-Paare, sortiert</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batch-Größe</translation>
    </message>
    <message>
        <source>Pairs per batch</source>
        <translation>Paare je Batch</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>Number of CUDA streams for the batches</source>
        <translation>Anzahl der CUDA-Streams für die Batches</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>Threads of a CUDA block, a multiple of 32</source>
        <translation>Threads eines CUDA-Blocks, ein Vielfaches von 32</translation>
    </message>
    <message>
        <source>Division</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>How CPU and GPU share the queries; for the backend hybrid only</source>
        <translation>Wie CPU und GPU die Abfragen teilen; nur für das Backend hybrid</translation>
    </message>
    <message>
        <source>The GPU takes the queries with the most candidates, the CPU those with the fewest. HEGJoin-Dyn hands out batches on demand. SQ gives the GPU a fixed share of the queries, SC a fixed share of the candidates. Adaptive is Clusterloom&apos;s own: batches become smaller towards the end, so that both end together</source>
        <translation>Die GPU nimmt die Abfragen mit den meisten Kandidaten, die CPU die mit den wenigsten. HEGJoin-Dyn vergibt Batches auf Anforderung. SQ gibt der GPU einen festen Anteil der Abfragen, SC einen festen Anteil der Kandidaten. Adaptiv stammt von Clusterloom: Die Batches werden zum Ende hin kleiner, damit beide gleichzeitig enden</translation>
    </message>
    <message>
        <source>adaptive</source>
        <translation>adaptiv</translation>
    </message>
    <message>
        <source>HEGJoin-Dyn</source>
        <translation>HEGJoin-Dyn</translation>
    </message>
    <message>
        <source>HEGJoin-SQ, by queries</source>
        <translation>HEGJoin-SQ, nach Abfragen</translation>
    </message>
    <message>
        <source>HEGJoin-SC, by candidates</source>
        <translation>HEGJoin-SC, nach Kandidaten</translation>
    </message>
    <message>
        <source>CPU method</source>
        <translation>CPU-Verfahren</translation>
    </message>
    <message>
        <source>How the CPU does its share; for the backend hybrid only</source>
        <translation>Wie die CPU ihren Anteil erledigt; nur für das Backend hybrid</translation>
    </message>
    <message>
        <source>CPU batch</source>
        <translation>CPU-Batch</translation>
    </message>
    <message>
        <source>Queries that a CPU thread takes at once; for the backend hybrid only</source>
        <translation>Abfragen, die ein CPU-Thread auf einmal nimmt; nur für das Backend hybrid</translation>
    </message>
    <message>
        <source>Auto means 1,024. The adaptive division begins with it</source>
        <translation>Auto bedeutet 1.024. Die adaptive Aufteilung beginnt damit</translation>
    </message>
    <message>
        <source>Reference ε</source>
        <translation>Referenz-ε</translation>
    </message>
    <message>
        <source>ε at which fixed shares are measured; for the divisions queries and candidates only</source>
        <translation>ε, bei dem feste Anteile gemessen werden; nur für die Aufteilungen queries und candidates</translation>
    </message>
    <message>
        <source>Both processors are timed at this ε with a sample of the queries. The times are then scaled by the volume of the search, as in [Gallet 2020]. Auto means the ε of the join</source>
        <translation>Bei diesem ε wird an einer Stichprobe der Abfragen gemessen, wie lange beide Prozessoren brauchen. Die Zeiten werden dann mit dem Volumen der Suche skaliert, wie in [Gallet 2020]. Auto bedeutet das ε des Joins</translation>
    </message>
    <message>
        <source>EGO-sort</source>
        <translation>EGO-Sortierung</translation>
    </message>
    <message>
        <source>border points</source>
        <translation>Randpunkte</translation>
    </message>
    <message>
        <source>building the R-tree</source>
        <translation>R-Baum wird gebaut</translation>
    </message>
    <message>
        <source>building the dendrogram</source>
        <translation>Dendrogramm wird gebaut</translation>
    </message>
    <message>
        <source>building the kd-tree</source>
        <translation>k-d-Baum wird gebaut</translation>
    </message>
    <message>
        <source>building the spanning tree</source>
        <translation>Spannbaum wird gebaut</translation>
    </message>
    <message>
        <source>building the tree</source>
        <translation>Baum wird gebaut</translation>
    </message>
    <message>
        <source>clustering</source>
        <translation>Cluster werden gebildet</translation>
    </message>
    <message>
        <source>collecting pairs</source>
        <translation>Paare werden gesammelt</translation>
    </message>
    <message>
        <source>core test</source>
        <translation>Kernpunkte werden bestimmt</translation>
    </message>
    <message>
        <source>counting</source>
        <translation>Zählen</translation>
    </message>
    <message>
        <source>counting neighbours</source>
        <translation>Nachbarn werden gezählt</translation>
    </message>
    <message>
        <source>dividing space</source>
        <translation>Raum wird aufgeteilt</translation>
    </message>
    <message>
        <source>estimating the number of pairs</source>
        <translation>Zahl der Paare wird geschätzt</translation>
    </message>
    <message>
        <source>filling</source>
        <translation>Füllen</translation>
    </message>
    <message>
        <source>finding ghosts</source>
        <translation>Ghost-Punkte werden gesucht</translation>
    </message>
    <message>
        <source>finding neighbours</source>
        <translation>Nachbarn werden gesucht</translation>
    </message>
    <message>
        <source>rounding coordinates</source>
        <translation>Koordinaten werden gerundet</translation>
    </message>
    <message>
        <source>ordering points</source>
        <translation>Punkte werden geordnet</translation>
    </message>
    <message>
        <source>following the clusters</source>
        <translation>Cluster werden verfolgt</translation>
    </message>
    <message>
        <source>generating</source>
        <translation>Punkte werden erzeugt</translation>
    </message>
    <message>
        <source>growing clusters</source>
        <translation>Cluster wachsen</translation>
    </message>
    <message>
        <source>hashing</source>
        <translation>Prüfsumme</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>laying out</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>listing border points</source>
        <translation>Randpunkte werden aufgelistet</translation>
    </message>
    <message>
        <source>looking for labels</source>
        <translation>Labels werden gesucht</translation>
    </message>
    <message>
        <source>mapping ε and minPts</source>
        <translation>ε und minPts werden kartiert</translation>
    </message>
    <message>
        <source>measuring clusters</source>
        <translation>Cluster werden vermessen</translation>
    </message>
    <message>
        <source>measuring k-distances</source>
        <translation>k-Distanzen werden gemessen</translation>
    </message>
    <message>
        <source>measuring speeds</source>
        <translation>Geschwindigkeiten werden gemessen</translation>
    </message>
    <message>
        <source>merging clusters</source>
        <translation>Cluster werden vereinigt</translation>
    </message>
    <message>
        <source>moving points</source>
        <translation>Punkte werden verschoben</translation>
    </message>
    <message>
        <source>ordering</source>
        <translation>Ordnen</translation>
    </message>
    <message>
        <source>placing border points</source>
        <translation>Randpunkte werden zugeordnet</translation>
    </message>
    <message>
        <source>projecting</source>
        <translation>Projizieren</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>reserving memory</source>
        <translation>Speicher wird reserviert</translation>
    </message>
    <message>
        <source>reserving memory for pairs</source>
        <translation>Speicher für Paare wird reserviert</translation>
    </message>
    <message>
        <source>sampling queries</source>
        <translation>Abfragen der Stichprobe</translation>
    </message>
    <message>
        <source>sampling the workload</source>
        <translation>Arbeitslast der Stichprobe</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>sorting the edges</source>
        <translation>Kanten werden sortiert</translation>
    </message>
    <message>
        <source>sweeping ε</source>
        <translation>ε wird durchlaufen</translation>
    </message>
    <message>
        <source>timing queries</source>
        <translation>Zeit der Abfragen wird gemessen</translation>
    </message>
    <message>
        <source>tracing warps</source>
        <translation>Warps werden verfolgt</translation>
    </message>
    <message>
        <source>uniting</source>
        <translation>Vereinigen</translation>
    </message>
    <message>
        <source>unpacking</source>
        <translation>Entpacken</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>writing pairs</source>
        <translation>Paare werden geschrieben</translation>
    </message>
    <message>
        <source>CSV text</source>
        <translation>CSV-Text</translation>
    </message>
    <message>
        <source>NPY, labels only (one per row read)</source>
        <translation>NPY, nur Labels (eines je gelesene Zeile)</translation>
    </message>
    <message>
        <source>PLY point cloud</source>
        <translation>PLY-Punktwolke</translation>
    </message>
    <message>
        <source>PCD point cloud</source>
        <translation>PCD-Punktwolke</translation>
    </message>
    <message>
        <source>LAS, with the label as extra bytes</source>
        <translation>LAS, mit dem Label als Extra-Bytes</translation>
    </message>
    <message>
        <source>LAZ, compressed LAS</source>
        <translation>LAZ, komprimiertes LAS</translation>
    </message>
    <message>
        <source>HDF5, one dataset per column</source>
        <translation>HDF5, ein Datensatz je Spalte</translation>
    </message>
    <message>
        <source>FITS, a binary table</source>
        <translation>FITS, eine binäre Tabelle</translation>
    </message>
    <message>
        <source>VTP for ParaView</source>
        <translation>VTP für ParaView</translation>
    </message>
    <message numerus="yes">
        <source>%1 thread</source>
        <translation>
            <numerusform>%1 Thread</numerusform>
            <numerusform>%1 Thread</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 threads</source>
        <translation>
            <numerusform>%1 Threads</numerusform>
            <numerusform>%1 Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 rank</source>
        <translation>
            <numerusform>%1 Rank</numerusform>
            <numerusform>%1 Rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Ranks</numerusform>
            <numerusform>%1 Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>input order</source>
        <translation>Reihenfolge der Eingabe</translation>
    </message>
    <message>
        <source>bins order</source>
        <translation>Einheits-Bins</translation>
    </message>
    <message>
        <source>cell order</source>
        <translation>Zellenfolge</translation>
    </message>
    <message>
        <source>sort-by-workload order</source>
        <translation>SORTBYWL</translation>
    </message>
    <message>
        <source>work-queue order</source>
        <translation>Warteschlange</translation>
    </message>
    <message numerus="yes">
        <source>%1 threads per point</source>
        <translation>
            <numerusform>%1 Threads je Punkt</numerusform>
            <numerusform>%1 Threads je Punkt</numerusform>
        </translation>
    </message>
    <message>
        <source>no REORDER</source>
        <translation>kein REORDER</translation>
    </message>
    <message>
        <source>no SORTIDU</source>
        <translation>kein SORTIDU</translation>
    </message>
    <message>
        <source>no SHORTC</source>
        <translation>kein SHORTC</translation>
    </message>
    <message>
        <source>dense cells</source>
        <translation>dichte Zellen</translation>
    </message>
    <message>
        <source>no dense cells</source>
        <translation>keine dichten Zellen</translation>
    </message>
    <message>
        <source>early stop</source>
        <translation>früher Abbruch</translation>
    </message>
    <message>
        <source>no early stop</source>
        <translation>kein früher Abbruch</translation>
    </message>
    <message>
        <source>32-bit</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>pairs sorted by key</source>
        <translation>Paare nach Schlüssel sortiert</translation>
    </message>
    <message numerus="yes">
        <source>batches of %1 pairs</source>
        <translation>
            <numerusform>Batches von %1 Paaren</numerusform>
            <numerusform>Batches von %1 Paaren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 streams</source>
        <translation>
            <numerusform>%1 Streams</numerusform>
            <numerusform>%1 Streams</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>blocks of %1</source>
        <translation>
            <numerusform>Blöcke von %1</numerusform>
            <numerusform>Blöcke von %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>CPU batches of %1 queries</source>
        <translation>
            <numerusform>CPU-Batches von %1 Abfragen</numerusform>
            <numerusform>CPU-Batches von %1 Abfragen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reference ε %1</source>
        <translation>
            <numerusform>Referenz-ε %1</numerusform>
            <numerusform>Referenz-ε %1</numerusform>
        </translation>
    </message>
    <message>
        <source>cells</source>
        <translation>Zellen</translation>
    </message>
    <message>
        <source>scaling</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>taking points</source>
        <translation>Punkte werden übernommen</translation>
    </message>
    <message>
        <source>union</source>
        <translation>Vereinigen</translation>
    </message>
    <message>
        <source>hierarchy</source>
        <translation>Hierarchie</translation>
    </message>
    <message>
        <source>labelling</source>
        <translation>Labels werden vergeben</translation>
    </message>
    <message>
        <source>listing neighbours</source>
        <translation>Nachbarn werden aufgelistet</translation>
    </message>
    <message>
        <source>making rows</source>
        <translation>Zeilen werden gebildet</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>nearest neighbours</source>
        <translation>nächste Nachbarn</translation>
    </message>
    <message>
        <source>searching the graph</source>
        <translation>Graph wird durchsucht</translation>
    </message>
    <message>
        <source>searching the graph, a long search</source>
        <translation>Graph wird durchsucht, eine lange Suche</translation>
    </message>
    <message>
        <source>finding principal axes</source>
        <translation>Hauptachsen werden gesucht</translation>
    </message>
</context>
<context>
    <name>Scene</name>
    <message>
        <source>the grid&apos;s cells have %1 axes and the view has %2: the cells are not drawn</source>
        <translation>die Zellen des Gitters haben %1 Achsen und die Ansicht hat %2: sie werden nicht gezeichnet</translation>
    </message>
    <message>
        <source>the %1 heaviest of %2 cells are drawn</source>
        <translation>gezeichnet sind die %1 schwersten von %2 Zellen</translation>
    </message>
    <message>
        <source>dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>PC %1 (%2)</source>
        <translation>HK %1 (%2)</translation>
    </message>
    <message>
        <source>Cells have no boxes along principal axes: choose dimensions as axes to see them.</source>
        <translation>Zellen haben entlang von Hauptachsen keine Quader: Dimensionen als Achsen wählen, um sie zu sehen.</translation>
    </message>
    <message>
        <source>There is no column of numbers %1.</source>
        <translation>Es gibt keine Zahlenspalte %1.</translation>
    </message>
    <message>
        <source>The added points lack the columns of the view, and are not drawn.</source>
        <translation>Den hinzugefügten Punkten fehlen die Spalten der Ansicht; sie werden nicht gezeichnet.</translation>
    </message>
    <message>
        <source>Cells have no boxes along columns beside the coordinates: choose dimensions as axes to see them.</source>
        <translation>Zellen haben entlang von Spalten neben den Koordinaten keine Quader: Dimensionen als Achsen wählen, um sie zu sehen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 points have no value in a column of the view, and are not drawn.</source>
        <comment>1 point has no value in a column of the view, and is not drawn.</comment>
        <translation>
            <numerusform>1 Punkt hat keinen Wert in einer Spalte der Ansicht und wird nicht gezeichnet.</numerusform>
            <numerusform>%1 Punkte haben keinen Wert in einer Spalte der Ansicht und werden nicht gezeichnet.</numerusform>
        </translation>
    </message>
    <message>
        <source>No point has a value in each of the columns %1.</source>
        <translation>Kein Punkt hat einen Wert in jeder der Spalten %1.</translation>
    </message>
</context>
<context>
    <name>clusterloom</name>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>Punkt %1</translation>
    </message>
    <message>
        <source>%1 · noise</source>
        <translation>%1 · Rauschen</translation>
    </message>
    <message>
        <source>%1 · cluster %2</source>
        <translation>%1 · Cluster %2</translation>
    </message>
    <message>
        <source>%1 · cluster %2 · %3</source>
        <translation>%1 · Cluster %2 · %3</translation>
    </message>
    <message>
        <source>cell %1 · points: %2 · candidates: %3 · adjacent cells: %4</source>
        <translation>Zelle %1 · Punkte: %2 · Kandidaten: %3 · angrenzende Zellen: %4</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>The picture does not fit into the memory. Choose fewer pixels.</source>
        <translation>Das Bild passt nicht in den Speicher. Weniger Pixel wählen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows</source>
        <translation>
            <numerusform>1 Zeile</numerusform>
            <numerusform>%1 Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 %2 bis %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 points</source>
        <translation>
            <numerusform>1 Punkt</numerusform>
            <numerusform>%1 Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 clusters</source>
        <translation>
            <numerusform>1 Cluster</numerusform>
            <numerusform>%1 Cluster</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 dimensions</source>
        <translation>
            <numerusform>1 Dimension</numerusform>
            <numerusform>%1 Dimensionen</numerusform>
        </translation>
    </message>
    <message>
        <source>More tools</source>
        <translation>Weitere Werkzeuge</translation>
    </message>
    <message>
        <source>row %1 of the file</source>
        <translation>Zeile %1 der Datei</translation>
    </message>
</context>
<context>
    <name>clusterloom::AddedPoints</name>
    <message>
        <source>%1 has %2, but the cloud has %3. Only points with the same number of dimensions can be added.</source>
        <translation>%1 hat %2, die Punktwolke aber %3. Nur Punkte mit gleich vielen Dimensionen können hinzugefügt werden.</translation>
    </message>
    <message>
        <source>%1 has the coordinates in another order; they are matched by name.</source>
        <translation>%1 hat die Koordinaten in anderer Reihenfolge; sie werden nach Namen zugeordnet.</translation>
    </message>
    <message>
        <source>Adding %1</source>
        <translation>%1 wird hinzugefügt</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Labelling %1</source>
        <translation>%1 erhält Labels</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 added: %2 in clusters, %3 noise</source>
        <translation>%1 hinzugefügt: %2 in Clustern, %3 Rauschen</translation>
    </message>
    <message>
        <source>The added points have no labels yet.</source>
        <translation>Die hinzugefügten Punkte haben noch keine Labels.</translation>
    </message>
</context>
<context>
    <name>clusterloom::Announcements</name>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>%1, %2 noise</source>
        <translation>%1, %2 Rauschen</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>All clusters shown</source>
        <translation>Alle Cluster eingeblendet</translation>
    </message>
    <message>
        <source>Noise hidden</source>
        <translation>Rauschen ausgeblendet</translation>
    </message>
    <message>
        <source>Cluster %1 hidden</source>
        <translation>Cluster %1 ausgeblendet</translation>
    </message>
    <message>
        <source>Noise shown</source>
        <translation>Rauschen eingeblendet</translation>
    </message>
    <message>
        <source>Cluster %1 shown</source>
        <translation>Cluster %1 eingeblendet</translation>
    </message>
    <message>
        <source>%1 and noise hidden</source>
        <translation>%1 und Rauschen ausgeblendet</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 ausgeblendet</translation>
    </message>
</context>
<context>
    <name>clusterloom::AppearanceDialog</name>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Point size</source>
        <translation>Punktgröße</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Opacity of points</source>
        <translation>Deckkraft der Punkte</translation>
    </message>
    <message>
        <source>Translucent points show where many overlap</source>
        <translation>Blasse Punkte zeigen, wie viele übereinander liegen</translation>
    </message>
    <message>
        <source>Strength of noise</source>
        <translation>Stärke des Rauschens</translation>
    </message>
    <message>
        <source>Below 100 %, noise is smaller, fainter and behind all clusters; 0 % hides it</source>
        <translation>Unter 100 % ist Rauschen kleiner, blasser und hinter allen Clustern; 0 % blendet es aus</translation>
    </message>
    <message>
        <source>&amp;Noise</source>
        <translation>&amp;Rauschen</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>All of them can be read with red-green colour blindness</source>
        <translation>Alle sind auch bei Rot-Grün-Schwäche lesbar</translation>
    </message>
    <message>
        <source>viridis</source>
        <translation>viridis</translation>
    </message>
    <message>
        <source>cividis</source>
        <translation>cividis</translation>
    </message>
    <message>
        <source>plasma</source>
        <translation>plasma</translation>
    </message>
    <message>
        <source>magma</source>
        <translation>magma</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>grau</translation>
    </message>
    <message>
        <source>blue to red</source>
        <translation>blau nach rot</translation>
    </message>
    <message>
        <source>Lowest value of the colour map</source>
        <translation>Kleinster Wert der Farbtabelle</translation>
    </message>
    <message>
        <source>Highest value of the colour map</source>
        <translation>Größter Wert der Farbtabelle</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Choose the range from the values</source>
        <translation>Den Bereich aus den Werten wählen</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Point &amp;size</source>
        <translation>Punkt&amp;größe</translation>
    </message>
    <message>
        <source>&amp;Opacity</source>
        <translation>&amp;Deckkraft</translation>
    </message>
    <message>
        <source>Colour &amp;map</source>
        <translation>&amp;Farbtabelle</translation>
    </message>
    <message>
        <source>&amp;Values</source>
        <translation>&amp;Werte</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Colour map and values apply when points are coloured by numbers: density, a column or a dimension.</source>
        <translation>Farbtabelle und Werte gelten, wenn Punkte nach Zahlen gefärbt sind: nach Dichte, einer Spalte oder einer Dimension.</translation>
    </message>
</context>
<context>
    <name>clusterloom::BatchPage</name>
    <message>
        <source>Batches over time: kernels, transfers, neighbour table</source>
        <translation>Batches über die Zeit: Kernel, Übertragungen, Nachbartabelle</translation>
    </message>
    <message>
        <source>The batches of a run on a GPU or of the modelled warp load appear here</source>
        <translation>Hier erscheinen die Batches eines Laufs auf einer GPU oder der modellierten Warp-Last</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernel of the measured load</source>
        <translation>Kernel der gemessenen Last</translation>
    </message>
    <message>
        <source>Kernel of the run</source>
        <translation>Kernel des Laufs</translation>
    </message>
</context>
<context>
    <name>clusterloom::ChartOutput</name>
    <message>
        <source>%1: charts are saved as .png, .svg or .csv. Choose a name with one of these endings.</source>
        <translation>%1: Diagramme werden als .png, .svg oder .csv gespeichert. Einen Namen mit einer dieser Endungen wählen.</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Vector picture (*.svg)</source>
        <translation>Vektorbild (*.svg)</translation>
    </message>
    <message>
        <source>Table of the numbers (*.csv)</source>
        <translation>Tabelle der Zahlen (*.csv)</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Copying the numbers</source>
        <translation>Zahlen werden kopiert</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>&amp;Speichern unter…</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;data</source>
        <translation>&amp;Daten kopieren</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>%1: tables are saved as .csv. Choose a name that ends in it.</source>
        <translation>%1: Tabellen werden als .csv gespeichert. Einen Namen mit dieser Endung wählen.</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Show as &amp;table</source>
        <translation>Als &amp;Tabelle zeigen</translation>
    </message>
</context>
<context>
    <name>clusterloom::ChartPictureDialog</name>
    <message>
        <source>Picture of the chart</source>
        <translation>Bild des Diagramms</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Pixels of the file for 100 pixels of width and height; text and lines grow with it</source>
        <translation>Pixel der Datei je 100 Pixel Breite und Höhe; Text und Linien wachsen mit</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>dark on light</source>
        <translation>dunkel auf hell</translation>
    </message>
    <message>
        <source>light on dark</source>
        <translation>hell auf dunkel</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Breite</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Höhe</translation>
    </message>
    <message>
        <source>&amp;Resolution</source>
        <translation>&amp;Auflösung</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Vectors: sharp at any size</source>
        <translation>Vektoren: in jeder Größe scharf</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1: too large</source>
        <translation>%1: zu groß</translation>
    </message>
</context>
<context>
    <name>clusterloom::ChartTableDialog</name>
    <message>
        <source>Values: %1</source>
        <translation>Werte: %1</translation>
    </message>
    <message>
        <source>Making the table…</source>
        <translation>Tabelle wird erstellt…</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected rows, or all of them</source>
        <translation>Die ausgewählten Zeilen kopieren, oder alle</translation>
    </message>
    <message>
        <source>&amp;Save as CSV…</source>
        <translation>Als CSV &amp;speichern…</translation>
    </message>
    <message>
        <source>Making the table</source>
        <translation>Tabelle erstellen</translation>
    </message>
</context>
<context>
    <name>clusterloom::ChartView</name>
    <message>
        <source>Shows the values as a table</source>
        <translation>Zeigt die Werte als Tabelle</translation>
    </message>
    <message>
        <source>%1. Values: %2. Return shows them as a table.</source>
        <translation>%1. Werte: %2. Die Eingabetaste zeigt sie als Tabelle.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ChartsPanel</name>
    <message>
        <source>Charts: %1</source>
        <translation>Diagramme: %1</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Charts of the clusters: which ε and minPts are right, and what they give</source>
        <translation>Diagramme der Cluster: welches ε und minPts passen und was sie ergeben</translation>
    </message>
    <message>
        <source>Charts of the engine: how the work is done, by warps, batches, processors and ranks</source>
        <translation>Diagramme der Engine: wie gerechnet wird, nach Warps, Batches, Prozessoren und Ranks</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Save or copy the chart: picture, vectors, numbers</source>
        <translation>Diagramm speichern oder kopieren: Bild, Vektoren, Zahlen</translation>
    </message>
    <message>
        <source>Save or copy the chart</source>
        <translation>Diagramm speichern oder kopieren</translation>
    </message>
    <message numerus="yes">
        <source>Computed for all points alike; the %1 selections clustered on their own are not considered.</source>
        <translation>
            <numerusform>Für alle Punkte gleich berechnet; die für sich geclusterte Auswahl ist nicht berücksichtigt.</numerusform>
            <numerusform>Für alle Punkte gleich berechnet; die %1 für sich geclusterten Auswahlen sind nicht berücksichtigt.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>clusterloom::ChecksRow</name>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>undefined: there must be two clusters</source>
        <translation>undefiniert: Es muss zwei Cluster geben</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>There are no clusters to check</source>
        <translation>Es gibt keine Cluster zu prüfen</translation>
    </message>
    <message>
        <source>Validity: %1 · found again: %2</source>
        <translation>Validität: %1 · wiedergefunden: %2</translation>
    </message>
    <message>
        <source>Mean of all clusters, weighted by points. Validity (DBCV) is between −1 and 1; noise counts as 0. Found again: the share of random samples in which DBSCAN finds a cluster again. The values disappear when the clusters change; they are computed again automatically if that is quick.</source>
        <translation>Mittel aller Cluster, nach Punkten gewichtet. Die Validität (DBCV) liegt zwischen −1 und 1; Rauschen zählt als 0. Wiedergefunden: der Anteil der zufälligen Stichproben, in denen DBSCAN einen Cluster wiederfindet. Die Werte verschwinden, wenn sich die Cluster ändern; sie werden automatisch neu berechnet, wenn das schnell geht.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Stop checking the clusters</source>
        <translation>Die Prüfung der Cluster anhalten</translation>
    </message>
    <message>
        <source>Compute the missing checks</source>
        <translation>Die fehlenden Prüfungen berechnen</translation>
    </message>
</context>
<context>
    <name>clusterloom::CloudComparison</name>
    <message>
        <source>It no longer has %1 dimensions, as the others have.</source>
        <translation>Sie hat nicht mehr %1 Dimensionen wie die anderen.</translation>
    </message>
    <message>
        <source>Comparing clouds</source>
        <translation>Punktwolken werden verglichen</translation>
    </message>
</context>
<context>
    <name>clusterloom::CloudTabs</name>
    <message>
        <source>Open clouds</source>
        <translation>Geöffnete Punktwolken</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>clusterloom::CloudView</name>
    <message>
        <source>Cloud view</source>
        <translation>Ansicht der Punktwolke</translation>
    </message>
    <message>
        <source>Preparing the view</source>
        <translation>Ansicht wird vorbereitet</translation>
    </message>
    <message>
        <source>candidates per point</source>
        <translation>Kandidaten je Punkt</translation>
    </message>
    <message>
        <source>points per cell</source>
        <translation>Punkte je Zelle</translation>
    </message>
    <message numerus="yes">
        <source>%1 points selected</source>
        <translation>
            <numerusform>1 Punkt ausgewählt</numerusform>
            <numerusform>%1 Punkte ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>clusters selected: %1</source>
        <translation>ausgewählte Cluster: %1</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>Warp %1</translation>
    </message>
    <message>
        <source>Nothing is picked</source>
        <translation>Nichts gewählt</translation>
    </message>
    <message>
        <source>Arrow keys turn or pan, plus and minus zoom, Home shows everything, Escape clears the selection.</source>
        <translation>Pfeiltasten drehen oder verschieben, Plus und Minus zoomen, Pos1 zeigt alles, Esc hebt die Auswahl auf.</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows of the file selected</source>
        <translation>
            <numerusform>1 Zeile der Datei ausgewählt</numerusform>
            <numerusform>%1 Zeilen der Datei ausgewählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>clusterloom::CloudsPage</name>
    <message>
        <source>Open clouds</source>
        <translation>Geöffnete Punktwolken</translation>
    </message>
    <message>
        <source>Double-click or press Return to show a cloud</source>
        <translation>Doppelklick oder Eingabetaste zeigt eine Punktwolke</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>Punktwolke</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Noise share</source>
        <translation>Rauschanteil</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>ARI: %1</source>
        <translation>ARI: %1</translation>
    </message>
    <message>
        <source>Adjusted Rand index with the labels of %1: 1 if both divide the points in the same way, about 0 if they agree only by chance. Noise counts as a cluster of its own, as in scikit-learn. Only for clouds with the same rows.</source>
        <translation>Angepasster Rand-Index mit den Labels von %1: 1, wenn beide die Punkte gleich aufteilen, etwa 0, wenn sie nur zufällig übereinstimmen. Rauschen zählt als ein eigener Cluster, wie bei scikit-learn. Nur für Punktwolken mit denselben Zeilen.</translation>
    </message>
    <message>
        <source>Points of the largest cluster</source>
        <translation>Punkte des größten Clusters</translation>
    </message>
    <message>
        <source>Time of the run. Labels from a file have none.</source>
        <translation>Zeit des Laufs. Labels aus einer Datei haben keine.</translation>
    </message>
    <message>
        <source>from a file</source>
        <translation>aus einer Datei</translation>
    </message>
    <message>
        <source>The two clouds do not have labels of the same rows.</source>
        <translation>Die beiden Punktwolken haben keine Labels derselben Zeilen.</translation>
    </message>
    <message>
        <source>Open other clouds beside this one with File ▸ Open for comparison: they take the same parameters and are compared here.</source>
        <translation>Mit Datei ▸ Zum Vergleich öffnen kommen weitere Punktwolken neben diese: Sie nehmen dieselben Parameter und werden hier verglichen.</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Stopped. The comparison begins again with the next change, or when this chart is chosen again.</source>
        <translation>Angehalten. Der Vergleich beginnt wieder mit der nächsten Änderung, oder wenn dieses Diagramm erneut gewählt wird.</translation>
    </message>
    <message>
        <source>The comparison does not belong to the current parameters. Run them first.</source>
        <translation>Der Vergleich gehört nicht zu den jetzigen Parametern. Diese zuerst ausführen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterChecks</name>
    <message>
        <source>not for points with weights</source>
        <translation>nicht für Punkte mit Gewichten</translation>
    </message>
    <message>
        <source>for Euclidean distances only</source>
        <translation>nur für euklidische Distanzen</translation>
    </message>
    <message>
        <source>for clusters of DBSCAN only</source>
        <translation>nur für Cluster von DBSCAN</translation>
    </message>
    <message>
        <source>not where selections are clustered on their own</source>
        <translation>nicht, wo Auswahlen für sich geclustert sind</translation>
    </message>
    <message>
        <source>Validity of the clusters</source>
        <translation>Validität der Cluster</translation>
    </message>
    <message>
        <source>Finding the clusters again</source>
        <translation>Wiederfinden der Cluster</translation>
    </message>
    <message>
        <source>Persistence of the clusters</source>
        <translation>Persistenz der Cluster</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterRun</name>
    <message>
        <source>Clustering %1 points</source>
        <translation>%1 Punkte werden geclustert</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>Die Engine wird gestartet</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>, without the selections clustered on their own</source>
        <translation>, ohne die für sich geclusterten Auswahlen</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterSelectionDialog</name>
    <message>
        <source>Cluster the selection</source>
        <translation>Auswahl clustern</translation>
    </message>
    <message>
        <source>ε of the selection</source>
        <translation>ε der Auswahl</translation>
    </message>
    <message>
        <source>minPts of the selection</source>
        <translation>minPts der Auswahl</translation>
    </message>
    <message>
        <source>&amp;ε</source>
        <translation>&amp;ε</translation>
    </message>
    <message>
        <source>&amp;minPts</source>
        <translation>&amp;minPts</translation>
    </message>
    <message>
        <source>C&amp;luster</source>
        <translation>C&amp;lustern</translation>
    </message>
    <message>
        <source>Mer&amp;ge into the result</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>The selected points leave their clusters; their new clusters get new numbers. Further runs do the same; undo takes it back.</source>
        <translation>Die ausgewählten Punkte verlassen ihre Cluster; ihre neuen Cluster bekommen neue Nummern. Weitere Läufe tun dasselbe; Rückgängig nimmt es zurück.</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write these points and labels to a file of their own</source>
        <translation>Diese Punkte und Labels in eine eigene Datei schreiben</translation>
    </message>
    <message>
        <source>The selected points are clustered as if there were no others.</source>
        <translation>Die ausgewählten Punkte werden geclustert, als gäbe es keine anderen.</translation>
    </message>
    <message>
        <source>%1 among %2 with ε %3, minPts %4; %5 noise.</source>
        <translation>%2: %1 mit ε %3, minPts %4; %5 Rauschen.</translation>
    </message>
    <message>
        <source>Clustering…</source>
        <translation>Cluster werden gebildet…</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>Nichts ist ausgewählt.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterTableModel</name>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>colour of the noise</source>
        <translation>Farbe des Rauschens</translation>
    </message>
    <message>
        <source>colour of cluster %1</source>
        <translation>Farbe von Cluster %1</translation>
    </message>
    <message>
        <source>Unchecked clusters are not drawn.</source>
        <translation>Cluster ohne Häkchen werden nicht gezeichnet.</translation>
    </message>
    <message>
        <source>Points per unit volume of the cluster’s bounding box</source>
        <translation>Punkte je Volumeneinheit des Begrenzungsquaders des Clusters</translation>
    </message>
    <message>
        <source>The cluster with the nearest centroid</source>
        <translation>Der Cluster mit dem nächsten Schwerpunkt</translation>
    </message>
    <message>
        <source>Distance between the two centroids</source>
        <translation>Abstand der beiden Schwerpunkte</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Nearest</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>%1, hidden</source>
        <translation>%1, ausgeblendet</translation>
    </message>
    <message>
        <source>%1, shown</source>
        <translation>%1, eingeblendet</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>sparseness %1 inside, separation %2 from cluster %3</source>
        <translation>Lückenhaftigkeit %1 innen, Trennung %2 von Cluster %3</translation>
    </message>
    <message>
        <source>in %1 of %2 samples; mean Jaccard index %3</source>
        <translation>in %1 von %2 Stichproben; mittlerer Jaccard-Index %3</translation>
    </message>
    <message>
        <source>from ε %1 on</source>
        <translation>ab ε %1</translation>
    </message>
    <message>
        <source>from ε %1 to %2</source>
        <translation>von ε %1 bis %2</translation>
    </message>
    <message>
        <source>Density-based validity (DBCV), −1 to 1: above 0 where the cluster is denser inside than between it and the nearest other one</source>
        <translation>Dichtebasierte Validität (DBCV), −1 bis 1: über 0, wo der Cluster innen dichter ist als zwischen ihm und dem nächsten anderen</translation>
    </message>
    <message>
        <source>In how many of %1 random samples DBSCAN finds the cluster again. A sample has half of the points. The Jaccard index of the two clusters must be at least 0.75: three quarters of the points of either must be in both</source>
        <translation>In wie vielen von %1 zufälligen Stichproben DBSCAN den Cluster wiederfindet. Eine Stichprobe hat die Hälfte der Punkte; drei Viertel der Punkte der beiden Cluster müssen in beiden sein</translation>
    </message>
    <message>
        <source>Largest ε ÷ smallest ε of the range in which the cluster persists: there, some cluster has a Jaccard index of at least 0.75 with it, by core points</source>
        <translation>Größtes ε ÷ kleinstes ε des Bereichs, in dem der Cluster besteht: Er behält drei Viertel seiner Kernpunkte, und sie sind drei Viertel des Clusters dort</translation>
    </message>
    <message>
        <source>Validity</source>
        <translation>Validität</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Persistence</source>
        <translation>Persistenz</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterTableProxy</name>
    <message>
        <source>“%1” is not a label.</source>
        <translation>„%1“ ist kein Label.</translation>
    </message>
    <message>
        <source>“%1” is neither a label nor a condition such as size&gt;100.</source>
        <translation>„%1“ ist weder ein Label noch eine Bedingung wie size&gt;100.</translation>
    </message>
    <message>
        <source>There is no column “%1”.</source>
        <translation>Es gibt keine Spalte „%1“.</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClusterTree</name>
    <message>
        <source>Condensing the tree</source>
        <translation>Baum wird kondensiert</translation>
    </message>
    <message>
        <source>Reachability plot</source>
        <translation>Erreichbarkeitsplot</translation>
    </message>
    <message>
        <source>Map of ε and minPts</source>
        <translation>Karte von ε und minPts</translation>
    </message>
    <message>
        <source>Selecting a cluster of the tree</source>
        <translation>Ein Cluster des Baums wird ausgewählt</translation>
    </message>
    <message>
        <source>Clusters of HDBSCAN*</source>
        <translation>Cluster von HDBSCAN*</translation>
    </message>
</context>
<context>
    <name>clusterloom::ClustersPanel</name>
    <message>
        <source>Filter: 3-7  size&gt;100  density&gt;=0.5</source>
        <translation>Filter: 3-7  size&gt;100  density&gt;=0,5</translation>
    </message>
    <message>
        <source>Filter of the clusters</source>
        <translation>Filter der Cluster</translation>
    </message>
    <message>
        <source>Labels (12, 3-7, noise) and conditions (size&gt;100, core, border, density, nearest, distance, dimension names; after Check validity, found_percent, persistence), separated by blanks; all conditions must hold</source>
        <translation>Labels (12, 3-7, noise) und Bedingungen (size&gt;100, core, border, density, nearest, distance, Namen von Dimensionen; nach Prüfen validity, found_percent, persistence), durch Leerzeichen getrennt; alle Bedingungen müssen gelten</translation>
    </message>
    <message>
        <source>Zoom to the selected clusters</source>
        <translation>Auf die ausgewählten Cluster zoomen</translation>
    </message>
    <message>
        <source>Hide all other clusters</source>
        <translation>Alle anderen Cluster ausblenden</translation>
    </message>
    <message>
        <source>Show all clusters</source>
        <translation>Alle Cluster einblenden</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>Die ausgewählten Zeilen kopieren</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>%1 and noise selected</source>
        <translation>%1 und Rauschen ausgewählt</translation>
    </message>
    <message>
        <source>noise selected</source>
        <translation>Rauschen ausgewählt</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 ausgewählt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source> · %1 and noise hidden</source>
        <translation> · %1 und Rauschen ausgeblendet</translation>
    </message>
    <message>
        <source> · noise hidden</source>
        <translation> · Rauschen ausgeblendet</translation>
    </message>
    <message>
        <source> · %1 hidden</source>
        <translation> · %1 ausgeblendet</translation>
    </message>
    <message>
        <source> · among %1 kept</source>
        <translation> · behalten: %1</translation>
    </message>
    <message>
        <source>of the last run; a preview is on screen</source>
        <translation>vom letzten Lauf; zu sehen ist eine Vorschau</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Check the clusters</source>
        <translation>Die Cluster prüfen</translation>
    </message>
    <message>
        <source>Show how far each cluster can be trusted: whether it is denser inside than around it (validity), how often it is found again in samples, and over which range of ε it persists</source>
        <translation>Sagt, wie weit jedem Cluster zu trauen ist: ob er innen dichter ist als um ihn herum (Validität), wie oft er in Stichproben wiedergefunden wird und über welchen Bereich von ε er besteht</translation>
    </message>
</context>
<context>
    <name>clusterloom::ColourKey</name>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>kein Wert</translation>
    </message>
</context>
<context>
    <name>clusterloom::ColourValues</name>
    <message>
        <source>true colour</source>
        <translation>Echtfarben</translation>
    </message>
    <message>
        <source>The data has no columns red, green and blue.</source>
        <translation>Die Daten haben keine Spalten red, green und blue.</translation>
    </message>
    <message>
        <source>never classified</source>
        <translation>nie klassifiziert</translation>
    </message>
    <message>
        <source>unclassified</source>
        <translation>nicht klassifiziert</translation>
    </message>
    <message>
        <source>ground</source>
        <translation>Boden</translation>
    </message>
    <message>
        <source>low vegetation</source>
        <translation>niedrige Vegetation</translation>
    </message>
    <message>
        <source>medium vegetation</source>
        <translation>mittlere Vegetation</translation>
    </message>
    <message>
        <source>high vegetation</source>
        <translation>hohe Vegetation</translation>
    </message>
    <message>
        <source>building</source>
        <translation>Gebäude</translation>
    </message>
    <message>
        <source>low point (noise)</source>
        <translation>tiefer Punkt (Rauschen)</translation>
    </message>
    <message>
        <source>water</source>
        <translation>Wasser</translation>
    </message>
    <message>
        <source>rail</source>
        <translation>Gleis</translation>
    </message>
    <message>
        <source>road surface</source>
        <translation>Straßenoberfläche</translation>
    </message>
    <message>
        <source>bridge deck</source>
        <translation>Brücke</translation>
    </message>
    <message>
        <source>high noise</source>
        <translation>hohes Rauschen</translation>
    </message>
    <message>
        <source>The data has no column “%1” to colour by.</source>
        <translation>Die Daten haben keine Spalte „%1“, nach der gefärbt werden könnte.</translation>
    </message>
    <message>
        <source>The data has no dimension %1 to colour by.</source>
        <translation>Die Daten haben keine Dimension %1, nach der gefärbt werden könnte.</translation>
    </message>
    <message>
        <source>neighbours within ε %1</source>
        <translation>Nachbarn innerhalb von ε %1</translation>
    </message>
    <message>
        <source>workload (candidates)</source>
        <translation>Arbeitslast (Kandidaten)</translation>
    </message>
    <message>
        <source>warp, in order of launch</source>
        <translation>Warp, in Startreihenfolge</translation>
    </message>
    <message>
        <source>idle lane-steps caused</source>
        <translation>verursachte untätige Lane-Schritte</translation>
    </message>
    <message>
        <source>idle lane-steps of the warp ÷ its points (measured)</source>
        <translation>untätige Lane-Schritte des Warps ÷ seine Punkte (gemessen)</translation>
    </message>
</context>
<context>
    <name>clusterloom::ColumnPlayer</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>clusterloom::ColumnPlayerRow</name>
    <message>
        <source>Column to play</source>
        <translation>Abzuspielende Spalte</translation>
    </message>
    <message>
        <source>Only points whose value in this column lies in the window are drawn. The clusters remain those of all points.</source>
        <translation>Nur die Punkte, deren Wert in dieser Spalte im Fenster liegt, werden gezeichnet. Die Cluster bleiben die aller Punkte.</translation>
    </message>
    <message>
        <source>Width of the window</source>
        <translation>Breite des Fensters</translation>
    </message>
    <message>
        <source>Values from the position to the position plus this width are in the window, both ends included. 0: one value at a time.</source>
        <translation>Im Fenster liegen die Werte von der Position bis zur Position plus dieser Breite, beide Enden eingeschlossen. 0: ein Wert nach dem anderen.</translation>
    </message>
    <message>
        <source>To the previous value</source>
        <translation>Zum vorigen Wert</translation>
    </message>
    <message>
        <source>Back by one window</source>
        <translation>Ein Fenster zurück</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Forward by one window</source>
        <translation>Ein Fenster weiter</translation>
    </message>
    <message>
        <source>To the next value</source>
        <translation>Zum nächsten Wert</translation>
    </message>
    <message>
        <source>How long playing takes</source>
        <translation>Wie lange das Abspielen dauert</translation>
    </message>
    <message>
        <source>How long playing over the whole column takes</source>
        <translation>Wie lange das Abspielen der ganzen Spalte dauert</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>The window and its points</source>
        <translation>Das Fenster und seine Punkte</translation>
    </message>
    <message>
        <source>Position of the window</source>
        <translation>Position des Fensters</translation>
    </message>
    <message>
        <source>Show all points again</source>
        <translation>Wieder alle Punkte zeigen</translation>
    </message>
    <message>
        <source>width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>no values</source>
        <translation>keine Werte</translation>
    </message>
    <message>
        <source> · %1 of %2 points</source>
        <translation> · %1 von %2 Punkten</translation>
    </message>
    <message>
        <source>Save frames…</source>
        <translation>Bilder speichern…</translation>
    </message>
    <message>
        <source>Saves what the view shows at each step as a series of pictures</source>
        <translation>Speichert bei jedem Schritt, was die Ansicht zeigt, als Folge von Bildern</translation>
    </message>
    <message>
        <source>Save frames</source>
        <translation>Bilder speichern</translation>
    </message>
</context>
<context>
    <name>clusterloom::Columns</name>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>gain by comparisons</source>
        <translation>Gewinn durch Vergleiche</translation>
    </message>
    <message>
        <source>gain by lanes</source>
        <translation>Gewinn durch Lanes</translation>
    </message>
    <message>
        <source>gain by memory and rest</source>
        <translation>Gewinn durch Speicher und Übriges</translation>
    </message>
    <message>
        <source>gain by searches</source>
        <translation>Gewinn durch Suchen</translation>
    </message>
    <message>
        <source>gain by tail</source>
        <translation>Gewinn durch das Ende</translation>
    </message>
    <message>
        <source>activity</source>
        <translation>Tätigkeit</translation>
    </message>
    <message>
        <source>adjusted rand index with</source>
        <translation>angepasster Rand-Index mit</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>Batches</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>beschäftigt</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>cell search operations</source>
        <translation>Operationen der Zellsuche</translation>
    </message>
    <message>
        <source>cloud</source>
        <translation>Punktwolke</translation>
    </message>
    <message>
        <source>clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>distance calculations</source>
        <translation>Distanzberechnungen</translation>
    </message>
    <message>
        <source>coordinates read</source>
        <translation>gelesene Koordinaten</translation>
    </message>
    <message>
        <source>division</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>eps</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>eps birth</source>
        <translation>ε der Entstehung</translation>
    </message>
    <message>
        <source>eps end</source>
        <translation>ε des Endes</translation>
    </message>
    <message>
        <source>fastest run</source>
        <translation>schnellster Lauf</translation>
    </message>
    <message>
        <source>first query</source>
        <translation>erste Abfrage</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>ghosts</source>
        <translation>Geisterpunkte</translation>
    </message>
    <message>
        <source>gpu share of candidates</source>
        <translation>GPU-Anteil an Kandidaten</translation>
    </message>
    <message>
        <source>processors meet at query</source>
        <translation>Treffpunkt (Abfrage)</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>Ungleichgewicht</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>index and join least</source>
        <translation>Index und Join: Minimum</translation>
    </message>
    <message>
        <source>index and join median</source>
        <translation>Index und Join: Median</translation>
    </message>
    <message>
        <source>index and join most</source>
        <translation>Index und Join: Maximum</translation>
    </message>
    <message>
        <source>indexed dims</source>
        <translation>indizierte Dimensionen</translation>
    </message>
    <message>
        <source>job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>join</source>
        <translation>Join</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>k distance</source>
        <translation>k-Distanz</translation>
    </message>
    <message>
        <source>kernel end</source>
        <translation>Kernel-Ende</translation>
    </message>
    <message>
        <source>label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>Lane</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>largest cluster</source>
        <translation>größter Cluster</translation>
    </message>
    <message>
        <source>largest cluster points</source>
        <translation>Punkte im größten Cluster</translation>
    </message>
    <message>
        <source>load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>min pts</source>
        <translation>minPts</translation>
    </message>
    <message>
        <source>modelled wee</source>
        <translation>modellierte WEE</translation>
    </message>
    <message>
        <source>multiprocessor</source>
        <translation>Multiprozessor</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>noise points</source>
        <translation>Rauschpunkte</translation>
    </message>
    <message>
        <source>noise share</source>
        <translation>Rauschanteil</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>übergeordneter</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>predicted join end</source>
        <translation>vorhergesagtes Join-Ende</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>Abfragen</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>reachability</source>
        <translation>Erreichbarkeit</translation>
    </message>
    <message>
        <source>replays</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>replicated</source>
        <translation>repliziert</translation>
    </message>
    <message>
        <source>replicated fixed</source>
        <translation>repliziert: feste Verteilung</translation>
    </message>
    <message>
        <source>replicated memory</source>
        <translation>repliziert: Speicher</translation>
    </message>
    <message>
        <source>replicated single</source>
        <translation>repliziert: einzelne Abfragen</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>ring imbalance</source>
        <translation>Ring: Ungleichgewicht</translation>
    </message>
    <message>
        <source>ring index</source>
        <translation>Ring: Index</translation>
    </message>
    <message>
        <source>ring join</source>
        <translation>Ring: Join</translation>
    </message>
    <message>
        <source>ring memory</source>
        <translation>Ring: Speicher</translation>
    </message>
    <message>
        <source>ring move</source>
        <translation>Ring: Weitergabe</translation>
    </message>
    <message>
        <source>ring transfer</source>
        <translation>Ring: Übertragung</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>selectivity</source>
        <translation>Selektivität</translation>
    </message>
    <message>
        <source>stability</source>
        <translation>Stabilität</translation>
    </message>
    <message>
        <source>stability high</source>
        <translation>Stabilität oben</translation>
    </message>
    <message>
        <source>stability low</source>
        <translation>Stabilität unten</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>taken as cluster</source>
        <translation>als Cluster genommen</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>transfer end</source>
        <translation>Übertragungsende</translation>
    </message>
    <message>
        <source>tree cluster</source>
        <translation>Baum-Cluster</translation>
    </message>
    <message>
        <source>warp</source>
        <translation>Warp</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>warps end</source>
        <translation>Warps enden</translation>
    </message>
    <message>
        <source>wee</source>
        <translation>WEE</translation>
    </message>
    <message>
        <source>wee error</source>
        <translation>WEE-Fehler</translation>
    </message>
    <message>
        <source>weighted steps</source>
        <translation>gewichtete Schritte</translation>
    </message>
    <message>
        <source>when</source>
        <translation>wann</translation>
    </message>
    <message>
        <source>bytes sent</source>
        <translation>gesendete Bytes</translation>
    </message>
</context>
<context>
    <name>clusterloom::ComparePanel</name>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>Strategies to compare</source>
        <translation>Strategien für den Vergleich</translation>
    </message>
    <message>
        <source>current settings</source>
        <translation>aktuelle Einstellungen</translation>
    </message>
    <message>
        <source>The current strategy of the engine panel.</source>
        <translation>Die aktuelle Strategie des Engine-Bereichs.</translation>
    </message>
    <message>
        <source>Add current settings</source>
        <translation>Aktuelle Einstellungen hinzufügen</translation>
    </message>
    <message>
        <source>Add the engine panel&apos;s current strategy to the list, so that any two can be compared; Del removes it</source>
        <translation>Die aktuelle Strategie des Engine-Bereichs in die Liste aufnehmen, sodass je zwei verglichen werden können; Entf entfernt sie</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Model and run each of them at the current ε</source>
        <translation>Jede davon beim aktuellen ε modellieren und ausführen</translation>
    </message>
    <message>
        <source>Over ε</source>
        <translation>Über ε</translation>
    </message>
    <message>
        <source>Time of index and join, and selectivity, from a quarter to four times ε</source>
        <translation>Zeit für Index und Join sowie Selektivität, von einem Viertel bis zum Vierfachen von ε</translation>
    </message>
    <message>
        <source>What is timed over ε</source>
        <translation>Was über ε gemessen wird</translation>
    </message>
    <message>
        <source>What “Over ε” measures: counting the neighbours of every point, or delivering all pairs</source>
        <translation>Was „Über ε“ misst: die Nachbarn jedes Punktes zählen oder alle Paare liefern</translation>
    </message>
    <message>
        <source>counting</source>
        <translation>Zählen</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Runs per strategy</source>
        <translation>Läufe je Strategie</translation>
    </message>
    <message>
        <source>How often each strategy is run; the table shows the median of the times and the fastest and slowest run</source>
        <translation>Wie oft jede Strategie ausgeführt wird; die Tabelle zeigt den Median der Zeiten sowie den schnellsten und den langsamsten Lauf</translation>
    </message>
    <message>
        <source>Results of the strategies</source>
        <translation>Ergebnisse der Strategien</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Same answer</source>
        <translation>Gleiches Ergebnis</translation>
    </message>
    <message>
        <source>Index + join</source>
        <translation>Index + Join</translation>
    </message>
    <message>
        <source>Fastest to slowest</source>
        <translation>Schnellster bis langsamster</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>WEE</source>
        <translation>WEE</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Warps end</source>
        <translation>Warps enden</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distanzen</translation>
    </message>
    <message>
        <source>of the first</source>
        <translation>der ersten</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Imbalance</source>
        <translation>Ungleichgewicht</translation>
    </message>
    <message>
        <source>For joins on CPU and GPU together: the difference between their end times, divided by the later one</source>
        <translation>Für Joins auf CPU und GPU zusammen: der Unterschied ihrer Endzeiten, geteilt durch die spätere</translation>
    </message>
    <message>
        <source>Whether it counted as many neighbours as the first strategy, for every point</source>
        <translation>Ob für jeden Punkt gleich viele Nachbarn gezählt wurden wie bei der ersten</translation>
    </message>
    <message>
        <source>Time to build the index and to count the neighbours of every point: the median of the runs. Reading the file and labelling are not part of it.</source>
        <translation>Zeit, um den Index zu bauen und die Nachbarn jedes Punkts zu zählen: Median der Läufe. Das Lesen der Datei und das Vergeben der Labels gehören nicht dazu.</translation>
    </message>
    <message>
        <source>The times of the fastest and slowest run</source>
        <translation>Die Zeiten des schnellsten und des langsamsten Laufs</translation>
    </message>
    <message>
        <source>The time of the first strategy divided by that of this one</source>
        <translation>Die Zeit der ersten Strategie geteilt durch die dieser</translation>
    </message>
    <message>
        <source>When the last warp has ended: measured, or modelled as one instruction for each weighted step at the clock of that GPU, without memory and transfers</source>
        <translation>Wann der letzte Warp geendet hat: gemessen, oder modelliert als eine Instruktion für jeden gewichteten Schritt beim Takt dieser GPU, ohne Speicher und Übertragungen</translation>
    </message>
    <message>
        <source>Strategy A</source>
        <translation>Strategie A</translation>
    </message>
    <message>
        <source>Strategy B</source>
        <translation>Strategie B</translation>
    </message>
    <message>
        <source>Warps of %1</source>
        <translation>Warps von %1</translation>
    </message>
    <message>
        <source>Warps appear here</source>
        <translation>Hier erscheinen Warps</translation>
    </message>
    <message>
        <source>Times of the strategies against ε</source>
        <translation>Zeiten der Strategien über ε</translation>
    </message>
    <message>
        <source>The times of the strategies appear here</source>
        <translation>Hier erscheinen die Zeiten der Strategien</translation>
    </message>
    <message>
        <source>Table and charts</source>
        <translation>Tabelle und Diagramme</translation>
    </message>
    <message>
        <source>Times over ε</source>
        <translation>Zeiten über ε</translation>
    </message>
    <message>
        <source>Added from the engine panel.</source>
        <translation>Aus dem Engine-Bereich hinzugefügt.</translation>
    </message>
    <message>
        <source>Warps of a GPU</source>
        <translation>Warps einer GPU</translation>
    </message>
    <message>
        <source>GPU, measured</source>
        <translation>GPU, gemessen</translation>
    </message>
    <message>
        <source>GPU model: %1, %2 multiprocessors × %3 warps, %4 GHz</source>
        <translation>GPU-Modell: %1, %2 Multiprozessoren × %3 Warps, %4 GHz</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Runs: %1</source>
        <translation>Läufe: %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>measured · counting neighbours, %1</source>
        <translation>gemessen · Nachbarn zählen, %1</translation>
    </message>
    <message>
        <source>measured · delivering pairs, %1</source>
        <translation>gemessen · Paare liefern, %1</translation>
    </message>
    <message>
        <source> · points are missing</source>
        <translation> · Punkte fehlen</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>CPU and GPU share this join: warps are not modelled for it</source>
        <translation>CPU und GPU teilen sich diesen Join: Warps werden dafür nicht modelliert</translation>
    </message>
    <message>
        <source>A join without a grid: it runs on the CPU and has no warps</source>
        <translation>Ein Join ohne Gitter: er läuft auf der CPU und hat keine Warps</translation>
    </message>
    <message>
        <source>Steps measured, weights fitted; modelled %1</source>
        <translation>Schritte gemessen, Gewichte angepasst; modelliert %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>NO</source>
        <translation>NEIN</translation>
    </message>
    <message>
        <source>For ε %1.</source>
        <translation>Für ε %1.</translation>
    </message>
    <message>
        <source>Warps measured; </source>
        <translation>Warps gemessen; </translation>
    </message>
    <message>
        <source>Warps modelled; </source>
        <translation>Warps modelliert; </translation>
    </message>
    <message>
        <source>times of index and join on %1, median of %2 runs.</source>
        <translation>Zeiten für Index und Join auf %1, Median von %2 Läufen.</translation>
    </message>
    <message>
        <source>times of index and join on %1, one run.</source>
        <translation>Zeiten für Index und Join auf %1, ein Lauf.</translation>
    </message>
    <message>
        <source> HEGJoin and adaptive on CPU and GPU together.</source>
        <translation> HEGJoin und adaptiv auf CPU und GPU gemeinsam.</translation>
    </message>
    <message>
        <source> * with one thread per point, the most that this backend supports.</source>
        <translation> * mit einem Thread je Punkt; mehr unterstützt dieses Backend nicht.</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>Strategien</translation>
    </message>
    <message>
        <source>, every step counts 1</source>
        <translation>, jeder Schritt zählt 1</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Show what each strategy gains over the first, split into causes, in place of the warps</source>
        <translation>Zeigt anstelle der Warps, was jede Strategie gegenüber der ersten gewinnt, nach Ursachen getrennt</translation>
    </message>
    <message>
        <source>Causes of the gain of each strategy</source>
        <translation>Ursachen des Gewinns jeder Strategie</translation>
    </message>
    <message>
        <source>What the strategies gain appears here</source>
        <translation>Was die Strategien gewinnen, erscheint hier</translation>
    </message>
    <message>
        <source>Causes of the gain</source>
        <translation>Ursachen des Gewinns</translation>
    </message>
    <message>
        <source>The time of the warps of the first strategy divided by that of this one, on that GPU</source>
        <translation>Die Zeit der Warps der ersten Strategie geteilt durch die von dieser, auf dieser GPU</translation>
    </message>
    <message>
        <source>The gain is the product of these factors; a factor below 1 is a loss. They are: fewer searches of cells; fewer candidates and hits; lanes that idle less; slots that end at the same time. If the warps were measured on a GPU, a further factor is memory and everything else that a model of steps does not include.</source>
        <translation>Der Gewinn ist das Produkt dieser Faktoren; ein Faktor unter 1 ist ein Verlust. Es sind: weniger Suchen nach Zellen; weniger Kandidaten und Treffer; Lanes, die weniger untätig sind; Plätze, die zur selben Zeit enden. Wurden die Warps auf einer GPU gemessen, ist ein weiterer Faktor der Speicher und alles andere, was ein Modell aus Schritten nicht enthält.</translation>
    </message>
</context>
<context>
    <name>clusterloom::Comparison</name>
    <message>
        <source>The time is for one thread per point: this backend has no thread groups.</source>
        <translation>Die Zeit gilt für einen Thread je Punkt: Dieses Backend hat keine Thread-Gruppen.</translation>
    </message>
    <message>
        <source>Times over ε</source>
        <translation>Zeiten über ε</translation>
    </message>
    <message>
        <source>Comparing strategies</source>
        <translation>Strategien werden verglichen</translation>
    </message>
</context>
<context>
    <name>clusterloom::CostPage</name>
    <message>
        <source>Predicted cost of each number of indexed dimensions</source>
        <translation>Vorhergesagte Kosten für jede Zahl indizierter Dimensionen</translation>
    </message>
    <message>
        <source>The predicted cost of each k appears here</source>
        <translation>Hier erscheinen die vorhergesagten Kosten für jedes k</translation>
    </message>
</context>
<context>
    <name>clusterloom::DataPanel</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>&amp;Columns…</source>
        <translation>S&amp;palten…</translation>
    </message>
    <message>
        <source>Choose which columns are coordinates and read the file again</source>
        <translation>Wählen, welche Spalten Koordinaten sind, und die Datei neu lesen</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>A change of units before clustering; exports keep the original coordinates</source>
        <translation>Eine Änderung der Einheiten vor dem Clustern; Exporte behalten die ursprünglichen Koordinaten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>unit range</source>
        <translation>Einheitsbereich</translation>
    </message>
    <message>
        <source>z-score</source>
        <translation>z-Standardisierung</translation>
    </message>
    <message>
        <source>factors</source>
        <translation>Faktoren</translation>
    </message>
    <message>
        <source>Factors, one per dimension</source>
        <translation>Faktoren, einer je Dimension</translation>
    </message>
    <message>
        <source>per dimension: 1, 1, 0.5</source>
        <translation>je Dimension: 1; 1; 0,5</translation>
    </message>
    <message>
        <source>Axes shown</source>
        <translation>Gezeigte Achsen</translation>
    </message>
    <message>
        <source>principal axes</source>
        <translation>Hauptachsen</translation>
    </message>
    <message>
        <source>chosen dimensions</source>
        <translation>gewählte Dimensionen</translation>
    </message>
    <message>
        <source>Dimension on axis %1</source>
        <translation>Dimension auf Achse %1</translation>
    </message>
    <message>
        <source>A&amp;xes</source>
        <translation>Ach&amp;sen</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>
one row of %1 was read</source>
        <translation>
eine Zeile von %1 wurde gelesen</translation>
    </message>
    <message>
        <source>
%1 of %2 rows skipped</source>
        <translation>
%1 von %2 Zeilen übersprungen</translation>
    </message>
    <message>
        <source>
kept of %1</source>
        <translation>
behalten; insgesamt %1</translation>
    </message>
    <message>
        <source>
kept: %1</source>
        <translation>
behalten: %1</translation>
    </message>
    <message>
        <source>Give one number per dimension, separated by commas.</source>
        <translation>Eine Zahl je Dimension angeben, durch Semikolons getrennt.</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distanzen</translation>
    </message>
    <message>
        <source>How distances are measured: as they are, across the faces of a periodic box,
along great circles between longitudes and latitudes in degrees, by the angle between
two points (cosine), or as the sum (Manhattan) or the largest (Chebyshev) of the
differences of their coordinates</source>
        <translation>Wie Distanzen gemessen werden: direkt, über die Seiten eines periodischen Kastens
hinweg, auf Großkreisen zwischen Längen und Breiten in Grad, nach dem Winkel zweier
Punkte (Kosinus) oder als Summe (Manhattan) oder größte (Tschebyschow) der
Differenzen ihrer Koordinaten</translation>
    </message>
    <message>
        <source>Euclidean</source>
        <translation>euklidisch</translation>
    </message>
    <message>
        <source>periodic box</source>
        <translation>periodischer Kasten</translation>
    </message>
    <message>
        <source>longitude, latitude</source>
        <translation>Länge, Breite</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Manhattan</source>
        <translation>Manhattan</translation>
    </message>
    <message>
        <source>Chebyshev</source>
        <translation>Tschebyschow</translation>
    </message>
    <message>
        <source>&amp;Distances</source>
        <translation>D&amp;istanzen</translation>
    </message>
    <message>
        <source>Periods, one per dimension</source>
        <translation>Perioden, eine je Dimension</translation>
    </message>
    <message>
        <source>per dimension: 10, 10, 0</source>
        <translation>je Dimension: 10; 10; 0</translation>
    </message>
    <message>
        <source>The length of the box in each dimension, in the units of the data; 0 where it is not
periodic. ε must be less than half of each period</source>
        <translation>Die Länge des Kastens in jeder Dimension, in den Einheiten der Daten; 0, wo er nicht
periodisch ist. ε muss kleiner als die Hälfte jeder Periode sein</translation>
    </message>
    <message>
        <source>ε of each dimension</source>
        <translation>ε jeder Dimension</translation>
    </message>
    <message>
        <source>The ε of each dimension, in the units of the data: how far a neighbour may be along it.
Scales the dimensions by factors; the slider of ε then changes all in proportion</source>
        <translation>Das ε jeder Dimension, in den Einheiten der Daten: wie weit ein Nachbar in ihr entfernt sein darf.
Skaliert die Dimensionen mit Faktoren; der Schieber von ε ändert dann alle im gleichen Verhältnis</translation>
    </message>
    <message>
        <source>Give one positive number per dimension, separated by commas.</source>
        <translation>Eine positive Zahl je Dimension angeben, durch Semikolons getrennt.</translation>
    </message>
    <message>
        <source>ε &amp;by dim.</source>
        <translation>ε &amp;je Dim.</translation>
    </message>
    <message>
        <source>ε is the length of a great circle in metres. Every ε, k-distances, grid and warp load are not shown.</source>
        <translation>ε ist die Länge auf einem Großkreis in Metern. Jedes ε, k-Distanzen, Gitter und Warp-Last werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>ε is 1 − cos of the angle between two points, from 0 to 2. The map of ε and minPts, grid and warp load are not shown.</source>
        <translation>ε ist 1 − cos des Winkels zwischen zwei Punkten, von 0 bis 2. Die Karte von ε und minPts, Gitter und Warp-Last werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>The map of ε and minPts, grid and warp load are not shown.</source>
        <translation>Die Karte von ε und minPts, Gitter und Warp-Last werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>K-distances, the map of ε and minPts, grid and warp load are not shown.</source>
        <translation>K-Distanzen, die Karte von ε und minPts, Gitter und Warp-Last werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>Give one period per dimension, separated by commas; 0 stands for none.</source>
        <translation>Eine Periode je Dimension angeben, durch Semikolons getrennt; 0 steht für keine.</translation>
    </message>
    <message>
        <source>latitude, longitude</source>
        <translation>Breite, Länge</translation>
    </message>
    <message>
        <source>Are these degrees? Choose %1 under Distances for an ε in metres.</source>
        <translation>Sind das Grad? Unter Distanzen %1 wählen, für ein ε in Metern.</translation>
    </message>
    <message>
        <source>Are %1 and %2 degrees? For an ε in metres, choose only these two coordinates (Columns…).</source>
        <translation>Sind %1 und %2 Grad? Für ein ε in Metern nur diese beiden Koordinaten wählen (Spalten…).</translation>
    </message>
    <message>
        <source>Sca&amp;ling</source>
        <translation>S&amp;kalierung</translation>
    </message>
    <message>
        <source>other columns</source>
        <translation>andere Spalten</translation>
    </message>
    <message>
        <source>What the axes of the view show. Clusters are computed in all dimensions.
Principal axes are the directions in which the points vary most, with their
share of the variance</source>
        <translation>Was die Achsen der Ansicht zeigen. Cluster werden in allen Dimensionen berechnet.
Hauptachsen sind die Richtungen, in denen die Punkte am meisten variieren, mit ihrem
Anteil an der Varianz</translation>
    </message>
    <message>
        <source>; computed from %1 of the points</source>
        <translation>; aus %1 der Punkte berechnet</translation>
    </message>
</context>
<context>
    <name>clusterloom::DerivedResults</name>
    <message>
        <source>Cluster statistics</source>
        <translation>Statistik der Cluster</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <source>Cost of indexed dimensions</source>
        <translation>Kosten der indizierten Dimensionen</translation>
    </message>
    <message>
        <source>Forecast of the join</source>
        <translation>Prognose des Joins</translation>
    </message>
    <message>
        <source>k-distance plot</source>
        <translation>k-Distanz-Plot</translation>
    </message>
    <message>
        <source>Clusters of every ε</source>
        <translation>Cluster für jedes ε</translation>
    </message>
    <message>
        <source>ε sweep</source>
        <translation>ε-Durchlauf</translation>
    </message>
</context>
<context>
    <name>clusterloom::DivisionLab</name>
    <message>
        <source>Timing queries</source>
        <translation>Zeit der Abfragen wird gemessen</translation>
    </message>
    <message>
        <source>Modelling divisions</source>
        <translation>Aufteilungen werden modelliert</translation>
    </message>
    <message>
        <source>Points of a batch</source>
        <translation>Punkte eines Batches</translation>
    </message>
</context>
<context>
    <name>clusterloom::EgoPictureView</name>
    <message>
        <source>Pairs of sequences of the EGO-join</source>
        <translation>Paare von Sequenzen des EGO-Joins</translation>
    </message>
</context>
<context>
    <name>clusterloom::EgoPictureWindow</name>
    <message>
        <source>How the EGO-join prunes</source>
        <translation>Wie der EGO-Join ausschließt</translation>
    </message>
    <message>
        <source>ε of the picture</source>
        <translation>ε des Bildes</translation>
    </message>
    <message>
        <source>%1 points in EGO order, halved into sequences. Left: the points, one colour per sequence; lines are ε apart. Right: all pairs of points in EGO order; filled pairs of sequences are compared, pale ones are pruned. Point at a pair, or use the arrow keys.</source>
        <translation>%1 Punkte in EGO-Ordnung, in Sequenzen halbiert. Links: die Punkte, eine Farbe je Sequenz; Linien im Abstand ε. Rechts: alle Paare von Punkten in EGO-Ordnung; gefüllte Paare von Sequenzen werden verglichen, blasse sind ausgeschlossen. Auf ein Paar zeigen oder die Pfeiltasten benutzen.</translation>
    </message>
    <message>
        <source>ε %1</source>
        <translation>ε %1</translation>
    </message>
    <message>
        <source>%1 of %2 pairs of points are compared (%3); %4.</source>
        <translation>%1 von %2 Paaren von Punkten werden verglichen (%3); %4.</translation>
    </message>
    <message numerus="yes">
        <source>%1 pairs of sequences are pruned</source>
        <translation>
            <numerusform>ein Paar von Sequenzen ist ausgeschlossen</numerusform>
            <numerusform>%1 Paare von Sequenzen sind ausgeschlossen</numerusform>
        </translation>
    </message>
    <message>
        <source>A sequence of %1 with itself: compared.</source>
        <translation>Eine Sequenz (%1) mit sich selbst: verglichen.</translation>
    </message>
    <message>
        <source>Sequences of %1 and %2: the cells of their first and last points do not rule out a pair, so they are compared.</source>
        <translation>Zwei Sequenzen (%1 und %2): Die Zellen ihrer ersten und letzten Punkte schließen ein Paar nicht aus, daher werden sie verglichen.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Sequences of %1 and %2: in dimension %3 their cells are %4 and %5, more than one apart, so that no pair can be within ε.</source>
        <translation>Zwei Sequenzen (%1 und %2): In Dimension %3 sind ihre Zellen %4 und %5, mehr als eine auseinander, sodass kein Paar innerhalb von ε liegen kann.</translation>
    </message>
    <message>
        <source>Arrow keys go through the pairs of sequences.</source>
        <translation>Pfeiltasten gehen durch die Paare von Sequenzen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::EnginePanel</name>
    <message>
        <source>Charts of the engine</source>
        <translation>Diagramme der Engine</translation>
    </message>
    <message>
        <source>Shows how the work is done: warps, batches, processors, ranks</source>
        <translation>Zeigt, wie gerechnet wird: Warps, Batches, Prozessoren, Ranks</translation>
    </message>
    <message>
        <source>E&amp;ngine</source>
        <translation>E&amp;ngine</translation>
    </message>
    <message>
        <source>Engine options</source>
        <translation>Optionen der Engine</translation>
    </message>
    <message>
        <source>How the result is computed. Every choice gives the same labels.</source>
        <translation>Wie das Ergebnis berechnet wird. Jede Wahl ergibt dieselben Labels.</translation>
    </message>
    <message>
        <source>Strategy preset</source>
        <translation>Vorgabe der Strategie</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>P&amp;reset</source>
        <translation>&amp;Vorgabe</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>The GPU that runs the joins, by its number</source>
        <translation>Die GPU, auf der die Joins laufen, nach ihrer Nummer</translation>
    </message>
    <message>
        <source>&amp;GPU</source>
        <translation>&amp;GPU</translation>
    </message>
    <message>
        <source>all (%1)</source>
        <translation>alle (%1)</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU-Threads</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Number of ranks that divide the cloud in space, as on a cluster of machines. They share the CPU threads and are spread evenly over the GPUs. The labels are the same for any number.</source>
        <translation>Anzahl der Ranks, die die Punktwolke räumlich aufteilen, wie auf einem Rechencluster. Sie teilen sich die CPU-Threads und werden gleichmäßig auf die GPUs verteilt. Die Labels sind bei jeder Zahl dieselben.</translation>
    </message>
    <message>
        <source>on GPUs</source>
        <translation>auf GPUs</translation>
    </message>
    <message>
        <source>Forecast of a join at this ε from sampled query points: how many pairs it finds and how much time and memory it takes, before a neighbour table or a list of pairs is made</source>
        <translation>Vorhersage eines Joins bei diesem ε aus einer Stichprobe von Abfragepunkten: wie viele Paare er findet und was er braucht, bevor eine Nachbartabelle oder eine Liste von Paaren erstellt wird</translation>
    </message>
    <message>
        <source>A custom combination</source>
        <translation>Eine eigene Zusammenstellung</translation>
    </message>
    <message>
        <source>the first that answers</source>
        <translation>die erste, die antwortet</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · does not answer</source>
        <translation>%1 · antwortet nicht</translation>
    </message>
    <message>
        <source>Each ticked GPU gets one rank; more ranks are spread evenly over these GPUs. If none is ticked, the run is not divided between GPUs.</source>
        <translation>Jede angekreuzte GPU bekommt einen Rank; mehr Ranks werden gleichmäßig auf diese GPUs verteilt. Ohne Häkchen wird der Lauf nicht zwischen GPUs aufgeteilt.</translation>
    </message>
    <message>
        <source>one per GPU (%1)</source>
        <translation>einer je GPU (%1)</translation>
    </message>
    <message>
        <source>1 (not divided)</source>
        <translation>1 (nicht aufgeteilt)</translation>
    </message>
    <message>
        <source>Bac&amp;kend</source>
        <translation>Ba&amp;ckend</translation>
    </message>
    <message>
        <source>%1 · not in this program</source>
        <translation>%1 · nicht in diesem Programm</translation>
    </message>
</context>
<context>
    <name>clusterloom::EpsSlider</name>
    <message>
        <source>ε, logarithmic slider</source>
        <translation>ε, logarithmischer Schieberegler</translation>
    </message>
    <message>
        <source>ε: the distance within which two points are neighbours. The green mark is the knee of the k-distance plot.</source>
        <translation>ε: der Abstand, innerhalb dessen zwei Punkte Nachbarn sind. Die grüne Marke ist der Knick des k-Distanz-Plots.</translation>
    </message>
    <message>
        <source>ε, exact value</source>
        <translation>ε, exakter Wert</translation>
    </message>
    <message>
        <source>The exact ε, in the units of the (scaled) coordinates</source>
        <translation>Das exakte ε in den Einheiten der (skalierten) Koordinaten</translation>
    </message>
    <message>
        <source>The exact ε: 1 − cos of the angle between two points, from 0 to 2</source>
        <translation>Das exakte ε: 1 − cos des Winkels zwischen zwei Punkten, von 0 bis 2</translation>
    </message>
    <message>
        <source>The angle between two points at this cosine distance, which is 1 − cos of the angle</source>
        <translation>Der Winkel zwischen zwei Punkten mit dieser Kosinus-Distanz, die 1 − cos des Winkels ist</translation>
    </message>
    <message>
        <source>an angle of %1</source>
        <translation>ein Winkel von %1</translation>
    </message>
    <message>
        <source>&amp;ε</source>
        <translation>&amp;ε</translation>
    </message>
    <message>
        <source>looking for a suitable ε…</source>
        <translation>passendes ε wird gesucht…</translation>
    </message>
    <message>
        <source>no ε yet</source>
        <translation>noch kein ε</translation>
    </message>
    <message>
        <source>ε must be a number above 0</source>
        <translation>ε ist eine Zahl über 0</translation>
    </message>
</context>
<context>
    <name>clusterloom::EpsWords</name>
    <message>
        <source>minPts is too large: all points are noise at every ε.</source>
        <translation>minPts ist zu groß: Bei jedem ε sind alle Punkte Rauschen.</translation>
    </message>
    <message>
        <source>%1 from ε %2 to %3</source>
        <translation>%1 von ε %2 bis %3</translation>
    </message>
    <message>
        <source>%1 from ε %2 on</source>
        <translation>%1 ab ε %2</translation>
    </message>
    <message>
        <source>%1 below ε %2</source>
        <translation>%1 unter ε %2</translation>
    </message>
    <message>
        <source>%1 at every ε</source>
        <translation>%1 bei jedem ε</translation>
    </message>
    <message>
        <source>ε is too small: all points are noise.</source>
        <translation>ε ist zu klein: Alle Punkte sind Rauschen.</translation>
    </message>
    <message>
        <source>More than half of the points are noise.</source>
        <translation>Mehr als die Hälfte der Punkte ist Rauschen.</translation>
    </message>
    <message>
        <source>ε is large: nearly all points are in one cluster.</source>
        <translation>ε ist groß: Fast alle Punkte liegen in einem Cluster.</translation>
    </message>
    <message>
        <source>Unstable: a change of ε by less than 5 % changes the number of larger clusters.</source>
        <translation>Instabil: Eine Änderung von ε um weniger als 5 % ändert die Zahl der größeren Cluster.</translation>
    </message>
    <message>
        <source>; %1 below</source>
        <translation>; darunter %1</translation>
    </message>
    <message>
        <source>; %1 above</source>
        <translation>; darüber %1</translation>
    </message>
    <message>
        <source>Stable except for clusters below half a percent; %1 noise.</source>
        <translation>Stabil bis auf Cluster unter einem halben Prozent; %1 Rauschen.</translation>
    </message>
    <message>
        <source>Stable; %1 noise.</source>
        <translation>Stabil; %1 Rauschen.</translation>
    </message>
    <message>
        <source>ε %1: %2 at every larger ε, %3 noise</source>
        <translation>ε %1: %2 bei jedem größeren ε, %3 Rauschen</translation>
    </message>
    <message>
        <source>ε %1: %2 from %3 to %4, %5 noise</source>
        <translation>ε %1: %2 von %3 bis %4, %5 Rauschen</translation>
    </message>
    <message>
        <source>below the knee, which joins nearly all</source>
        <translation>unter dem Knick, der fast alles verbindet</translation>
    </message>
    <message>
        <source>most stable: %1 larger clusters, ε %2 to %3</source>
        <translation>am stabilsten: %1 größere Cluster, ε %2 bis %3</translation>
    </message>
    <message>
        <source>most stable: about %1 larger clusters</source>
        <translation>am stabilsten: etwa %1 größere Cluster</translation>
    </message>
    <message>
        <source>At the knee of the k-distances nearly all points are in one cluster</source>
        <translation>Am Knick der k-Distanzen sind fast alle Punkte in einem Cluster</translation>
    </message>
    <message>
        <source>From ε %1 to %2 there are %3 clusters with %4 core points or more. No other number of clusters lasts over a wider range of ε</source>
        <translation>Von ε %1 bis %2 gibt es %3 Cluster mit %4 Kernpunkten oder mehr. Keine andere Anzahl hält sich über einen breiteren Bereich von ε</translation>
    </message>
    <message>
        <source>Estimated from a part of the points: about %1 clusters with %2 core points or more. No other number of clusters lasts over a wider range of ε</source>
        <translation>Geschätzt aus einem Teil der Punkte: etwa %1 Cluster mit %2 Kernpunkten oder mehr. Keine andere Anzahl hält sich über einen breiteren Bereich von ε</translation>
    </message>
    <message>
        <source>without the period: about %1 larger clusters</source>
        <translation>ohne die Periode: etwa %1 größere Cluster</translation>
    </message>
    <message>
        <source>Estimated without distances across the faces of the box: about %1 clusters with %2 core points or more. No other number of clusters lasts over a wider range of ε</source>
        <translation>Geschätzt ohne Distanzen über die Seiten des Kastens: etwa %1 Cluster mit %2 Kernpunkten oder mehr. Keine andere Anzahl hält sich über einen breiteren Bereich von ε</translation>
    </message>
    <message>
        <source>Estimated: about %1 clusters with %2 core points or more. No other number of clusters lasts over a wider range of ε</source>
        <translation>Geschätzt: etwa %1 Cluster mit %2 Kernpunkten oder mehr. Keine andere Anzahl hält sich über einen breiteren Bereich von ε</translation>
    </message>
</context>
<context>
    <name>clusterloom::EpsStability</name>
    <message>
        <source>Stability over ε</source>
        <translation>Stabilität über ε</translation>
    </message>
</context>
<context>
    <name>clusterloom::EveryEps</name>
    <message>
        <source>Preparing every ε</source>
        <translation>Jedes ε wird vorbereitet</translation>
    </message>
</context>
<context>
    <name>clusterloom::EveryEpsWords</name>
    <message>
        <source>%1 needs two points or more</source>
        <translation>%1 braucht mindestens zwei Punkte</translation>
    </message>
    <message>
        <source>%1 needs %2 and about %3: press Prepare below minPts</source>
        <translation>%1 braucht %2 und etwa %3: unter minPts „Vorbereiten“ drücken</translation>
    </message>
    <message>
        <source>%1 needs %2 of memory, and %3 are free: use a smaller minPts or a part of the cloud</source>
        <translation>%1: braucht %2 Speicher, und %3 sind frei; kleineres minPts oder einen Teil der Wolke verwenden</translation>
    </message>
    <message>
        <source>%1 can be computed for minPts up to %2</source>
        <translation>%1 kann für minPts bis %2 berechnet werden</translation>
    </message>
    <message>
        <source>%1 was not computed: press Prepare below minPts</source>
        <translation>%1 wurde nicht berechnet: unter minPts „Vorbereiten“ drücken</translation>
    </message>
    <message>
        <source>%1 appears here</source>
        <translation>%1 erscheint hier</translation>
    </message>
    <message>
        <source>%1 cannot be computed for longitude and latitude</source>
        <translation>%1: nicht für Längen und Breiten</translation>
    </message>
    <message>
        <source>Shown for Euclidean distances only</source>
        <translation>Nur für euklidische Distanzen</translation>
    </message>
    <message>
        <source>%1 can be computed for points without weights only</source>
        <translation>%1: nur für Punkte ohne Gewichte</translation>
    </message>
    <message>
        <source>Shown for points without weights only</source>
        <translation>Nur für Punkte ohne Gewichte</translation>
    </message>
    <message>
        <source>Not for these distances</source>
        <translation>Nicht für diese Distanzen</translation>
    </message>
</context>
<context>
    <name>clusterloom::ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>Was exportiert wird</translation>
    </message>
    <message>
        <source>All points with their labels</source>
        <translation>Alle Punkte mit ihren Labels</translation>
    </message>
    <message numerus="yes">
        <source>Points of the %1 selected clusters</source>
        <translation>
            <numerusform>Punkte des ausgewählten Clusters</numerusform>
            <numerusform>Punkte der %1 ausgewählten Cluster</numerusform>
        </translation>
    </message>
    <message>
        <source>The table of all clusters</source>
        <translation>Die Tabelle aller Cluster</translation>
    </message>
    <message>
        <source>A picture of the view</source>
        <translation>Ein Bild der Ansicht</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>Write &amp;provenance: version, input and its hash, parameters</source>
        <translation>Herk&amp;unft mitschreiben: Version, Eingabe mit Prüfsumme, Parameter</translation>
    </message>
    <message>
        <source>CSV and NPY files stay plain; their provenance goes into a file beside them, with .provenance.json added to the name</source>
        <translation>CSV- und NPY-Dateien bleiben einfach; ihre Herkunft steht in einer Datei daneben, an deren Namen .provenance.json angehängt ist</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>E&amp;xportieren</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>&amp;Was</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>F&amp;ile</source>
        <translation>Date&amp;i</translation>
    </message>
    <message numerus="yes">
        <source>The %1 selected points, as a file of their own</source>
        <translation>
            <numerusform>Der ausgewählte Punkt als eigene Datei</numerusform>
            <numerusform>Die %1 ausgewählten Punkte als eigene Datei</numerusform>
        </translation>
    </message>
    <message>
        <source>All %1 rows; those of removed points are empty, with label −2</source>
        <translation>Alle %1 Zeilen; die der entfernten Punkte sind leer, mit Label −2</translation>
    </message>
    <message numerus="yes">
        <source>The %1 points kept, as a file of their own</source>
        <translation>
            <numerusform>Der behaltene Punkt als eigene Datei</numerusform>
            <numerusform>Die %1 behaltenen Punkte als eigene Datei</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %1 added points with their labels</source>
        <translation>
            <numerusform>Der hinzugefügte Punkt mit seinem Label</numerusform>
            <numerusform>Die %1 hinzugefügten Punkte mit ihren Labels</numerusform>
        </translation>
    </message>
    <message>
        <source>PNG image</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <source>Give the name of a file.</source>
        <translation>Den Namen einer Datei angeben.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Es gibt keinen Ordner %1.</translation>
    </message>
    <message>
        <source>The name must end in .%1.</source>
        <translation>Der Name muss auf .%1 enden.</translation>
    </message>
    <message>
        <source>The name must end in .%1, or in .%1.gz or .%1.zst for a compressed file.</source>
        <translation>Der Name muss auf .%1 enden, für eine komprimierte Datei auf .%1.gz oder .%1.zst.</translation>
    </message>
    <message>
        <source>This file is open. Choose another name; an input is never overwritten.</source>
        <translation>Diese Datei ist geöffnet. Einen anderen Namen wählen; eine Eingabe wird nie überschrieben.</translation>
    </message>
    <message>
        <source>This file exists and will be replaced once the new one is complete.</source>
        <translation>Diese Datei ist vorhanden und wird ersetzt, sobald die neue vollständig ist.</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportieren nach</translation>
    </message>
    <message numerus="yes">
        <source>All %1 selected rows of the whole file, with their labels</source>
        <translation>
            <numerusform>Die ausgewählte Zeile der ganzen Datei mit ihrem Label</numerusform>
            <numerusform>Alle %1 ausgewählten Zeilen der ganzen Datei mit ihren Labels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %1 selected rows of the whole file, without labels</source>
        <translation>
            <numerusform>Die ausgewählte Zeile der ganzen Datei ohne Label</numerusform>
            <numerusform>Alle %1 ausgewählten Zeilen der ganzen Datei ohne Labels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %1 rows kept of the whole file, with their labels</source>
        <translation>
            <numerusform>Die behaltene Zeile der ganzen Datei mit ihrem Label</numerusform>
            <numerusform>Alle %1 behaltenen Zeilen der ganzen Datei mit ihren Labels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %1 rows kept of the whole file, without labels</source>
        <translation>
            <numerusform>Die behaltene Zeile der ganzen Datei ohne Label</numerusform>
            <numerusform>Alle %1 behaltenen Zeilen der ganzen Datei ohne Labels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>clusterloom::Formula</name>
    <message>
        <source>“%1”: an operator is missing</source>
        <translation>„%1“: ein Operator fehlt</translation>
    </message>
    <message>
        <source>“%1”: a parenthesis is out of place</source>
        <translation>„%1“: eine Klammer steht an falscher Stelle</translation>
    </message>
    <message>
        <source>“%1”: a number is missing</source>
        <translation>„%1“: eine Zahl fehlt</translation>
    </message>
    <message>
        <source>“%1” is not a known number</source>
        <translation>„%1“ ist keine bekannte Größe</translation>
    </message>
    <message>
        <source>“%1” is the same for every strategy, or of the picked warp; it takes no strategy</source>
        <translation>„%1“ ist für jede Strategie gleich oder gehört zum gewählten Warp; es nimmt keine Strategie an</translation>
    </message>
    <message>
        <source>“%1”: a parenthesis is not closed</source>
        <translation>„%1“: eine Klammer ist nicht geschlossen</translation>
    </message>
    <message>
        <source>“%1” compares more than once</source>
        <translation>„%1“ vergleicht mehr als einmal</translation>
    </message>
    <message>
        <source>“%1” has no comparison: use &lt; &lt;= = &gt;= &gt;</source>
        <translation>„%1“ hat keinen Vergleich: &lt; &lt;= = &gt;= &gt; verwenden</translation>
    </message>
</context>
<context>
    <name>clusterloom::FrameSeries</name>
    <message>
        <source>Writing frame %1</source>
        <translation>Bild %1 wird geschrieben</translation>
    </message>
</context>
<context>
    <name>clusterloom::FramesDialog</name>
    <message>
        <source>Number of frames</source>
        <translation>Zahl der Bilder</translation>
    </message>
    <message>
        <source>&amp;Frames</source>
        <translation>&amp;Bilder</translation>
    </message>
    <message>
        <source>&amp;Choose a folder…</source>
        <translation>&amp;Ordner wählen…</translation>
    </message>
</context>
<context>
    <name>clusterloom::GuideView</name>
    <message>
        <source>Page of the guide</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message>
        <source>%1, link</source>
        <translation>%1, Link</translation>
    </message>
</context>
<context>
    <name>clusterloom::GuideWindow</name>
    <message>
        <source>Places found</source>
        <translation>Gefundene Stellen</translation>
    </message>
    <message>
        <source>Contents of the guide</source>
        <translation>Inhalt des Handbuchs</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>Return: next place, Shift+Return: previous, Down: list of places, Escape: back to the page</source>
        <translation>Eingabetaste: nächste Stelle, Umschalt+Eingabetaste: vorige, Ab: Liste der Stellen, Esc: zurück zur Seite</translation>
    </message>
    <message>
        <source>%1 — Clusterloom guide</source>
        <translation>%1 — Clusterloom-Handbuch</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 on this page, %2 in the guide</source>
        <translation>%1 auf dieser Seite, %2 im Handbuch</translation>
    </message>
    <message>
        <source>not in the guide</source>
        <translation>nicht im Handbuch</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>clusterloom::Handout</name>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>Schritt %1 von %2: %3</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Question %1.</source>
        <translation>Frage %1.</translation>
    </message>
    <message>
        <source>Answer %1.</source>
        <translation>Antwort %1.</translation>
    </message>
    <message>
        <source>“%1”.</source>
        <translation>„%1“.</translation>
    </message>
    <message>
        <source>Made with Clusterloom %1. Numbers and pictures are computed, except where a text says that something was measured.</source>
        <translation>Erstellt mit Clusterloom %1. Zahlen und Bilder sind berechnet, außer wo ein Text sagt, dass etwas gemessen wurde.</translation>
    </message>
    <message>
        <source>Your answer:</source>
        <translation>Eigene Antwort:</translation>
    </message>
    <message>
        <source>Do this task in the lessons window.</source>
        <translation>Im Fenster der Lektionen zu lösen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ImportDialog</name>
    <message>
        <source>Import %1</source>
        <translation>%1 importieren</translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation>Trennzeichen</translation>
    </message>
    <message>
        <source>detect</source>
        <translation>erkennen</translation>
    </message>
    <message>
        <source>comma  ,</source>
        <translation>Komma  ,</translation>
    </message>
    <message>
        <source>semicolon  ;</source>
        <translation>Semikolon  ;</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>Tabulator</translation>
    </message>
    <message>
        <source>blanks</source>
        <translation>Leerzeichen</translation>
    </message>
    <message>
        <source>bar</source>
        <translation>senkrechter Strich</translation>
    </message>
    <message>
        <source>bar  |</source>
        <translation>senkrechter Strich  |</translation>
    </message>
    <message>
        <source>S&amp;kip lines</source>
        <translation>Zeilen &amp;überspringen</translation>
    </message>
    <message>
        <source>Lines to skip</source>
        <translation>Zu überspringende Zeilen</translation>
    </message>
    <message>
        <source>Lines before the table, such as a title or a count of points</source>
        <translation>Zeilen vor der Tabelle, etwa ein Titel oder eine Punktzahl</translation>
    </message>
    <message>
        <source>Header line</source>
        <translation>Kopfzeile</translation>
    </message>
    <message>
        <source>first line holds names</source>
        <translation>erste Zeile enthält Namen</translation>
    </message>
    <message>
        <source>no header</source>
        <translation>keine Kopfzeile</translation>
    </message>
    <message>
        <source>Decimal sign</source>
        <translation>Dezimalzeichen</translation>
    </message>
    <message>
        <source>point  1.5</source>
        <translation>Punkt  1.5</translation>
    </message>
    <message>
        <source>comma  1,5</source>
        <translation>Komma  1,5</translation>
    </message>
    <message>
        <source>Comment character</source>
        <translation>Kommentarzeichen</translation>
    </message>
    <message>
        <source>Lines that start with this character are skipped</source>
        <translation>Zeilen, die mit diesem Zeichen beginnen, werden übersprungen</translation>
    </message>
    <message>
        <source>&amp;Delimiter</source>
        <translation>Tre&amp;nnzeichen</translation>
    </message>
    <message>
        <source>&amp;Header</source>
        <translation>&amp;Kopfzeile</translation>
    </message>
    <message>
        <source>De&amp;cimals</source>
        <translation>&amp;Dezimalzeichen</translation>
    </message>
    <message>
        <source>Thousands separator</source>
        <translation>Zeichen zwischen Tausendern</translation>
    </message>
    <message>
        <source>no sign</source>
        <translation>kein Zeichen</translation>
    </message>
    <message>
        <source>comma  1,234</source>
        <translation>Komma  1,234</translation>
    </message>
    <message>
        <source>point  1.234</source>
        <translation>Punkt  1.234</translation>
    </message>
    <message>
        <source>blank  1 234</source>
        <translation>Leerzeichen  1 234</translation>
    </message>
    <message>
        <source>apostrophe  1&apos;234</source>
        <translation>Apostroph  1&apos;234</translation>
    </message>
    <message>
        <source>Tho&amp;usands</source>
        <translation>Ta&amp;usender</translation>
    </message>
    <message>
        <source>Co&amp;mments</source>
        <translation>Ko&amp;mmentare</translation>
    </message>
    <message>
        <source>First rows; the first line chooses the role of each column</source>
        <translation>Erste Zeilen; die erste Zeile bestimmt die Rolle jeder Spalte</translation>
    </message>
    <message>
        <source>Tables of the file</source>
        <translation>Tabellen der Datei</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>enthält</translation>
    </message>
    <message>
        <source>All columns:</source>
        <translation>Alle Spalten:</translation>
    </message>
    <message>
        <source>coo&amp;rdinates</source>
        <translation>Koo&amp;rdinaten</translation>
    </message>
    <message>
        <source>Use every column of numbers as a coordinate</source>
        <translation>Jede Spalte mit Zahlen als Koordinate verwenden</translation>
    </message>
    <message>
        <source>a&amp;ttributes</source>
        <translation>&amp;Attribute</translation>
    </message>
    <message>
        <source>Keep every column for colours and exports</source>
        <translation>Jede Spalte für Farben und Exporte behalten</translation>
    </message>
    <message>
        <source>&amp;ignore</source>
        <translation>&amp;ignorieren</translation>
    </message>
    <message>
        <source>Read none; then choose the columns to read</source>
        <translation>Keine lesen; dann die Spalten wählen, die gelesen werden</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>unit range</source>
        <translation>Einheitsbereich</translation>
    </message>
    <message>
        <source>z-score</source>
        <translation>z-Standardisierung</translation>
    </message>
    <message>
        <source>factors</source>
        <translation>Faktoren</translation>
    </message>
    <message>
        <source>one number per coordinate: 1, 1, 0.5</source>
        <translation>eine Zahl je Koordinate: 1; 1; 0,5</translation>
    </message>
    <message>
        <source>Factors, one per coordinate</source>
        <translation>Faktoren, einer je Koordinate</translation>
    </message>
    <message>
        <source>&amp;Skip rows whose coordinates are NaN or infinite</source>
        <translation>Zeilen über&amp;springen, deren Koordinaten NaN oder unendlich sind</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>1 of </source>
        <translation>1 von </translation>
    </message>
    <message>
        <source>Reads rows 0, N, 2N, … of a file that is too large for the memory</source>
        <translation>Liest die Zeilen 0, N, 2N, … einer Datei, die für den Speicher zu groß ist</translation>
    </message>
    <message>
        <source>Sca&amp;ling</source>
        <translation>Ska&amp;lierung</translation>
    </message>
    <message>
        <source>Ro&amp;ws</source>
        <translation>&amp;Zeilen</translation>
    </message>
    <message>
        <source>Show this for &amp;every text file</source>
        <translation>Bei &amp;jeder Textdatei zeigen</translation>
    </message>
    <message>
        <source>Reading the first rows</source>
        <translation>Erste Zeilen werden gelesen</translation>
    </message>
    <message>
        <source>use as</source>
        <translation>verwenden als</translation>
    </message>
    <message>
        <source>%1 [%2]</source>
        <translation>%1 [%2]</translation>
    </message>
    <message>
        <source>coordinate</source>
        <translation>Koordinate</translation>
    </message>
    <message>
        <source>attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>ignore</source>
        <translation>ignorieren</translation>
    </message>
    <message>
        <source>⚠ %1</source>
        <translation>⚠ %1</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>comma</source>
        <translation>Komma</translation>
    </message>
    <message>
        <source>semicolon</source>
        <translation>Semikolon</translation>
    </message>
    <message>
        <source>detected: %1</source>
        <translation>erkannt: %1</translation>
    </message>
    <message>
        <source>detected: a header</source>
        <translation>erkannt: mit</translation>
    </message>
    <message>
        <source>detected: no header</source>
        <translation>erkannt: ohne</translation>
    </message>
    <message>
        <source>detected: comma</source>
        <translation>erkannt: Komma</translation>
    </message>
    <message>
        <source>detected: point</source>
        <translation>erkannt: Punkt</translation>
    </message>
    <message>
        <source>%1  ·  %2</source>
        <translation>%1  ·  %2</translation>
    </message>
    <message>
        <source>Data row %1 has %2, the first line has %3. Correct the line, or choose the right delimiter.</source>
        <translation>Datenzeile %1 hat %2, die erste Zeile hat %3. Die Zeile berichtigen oder das richtige Trennzeichen wählen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 columns</source>
        <translation>
            <numerusform>1 Spalte</numerusform>
            <numerusform>%1 Spalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose at least one column as a coordinate.</source>
        <translation>Mindestens eine Spalte als Koordinate wählen.</translation>
    </message>
    <message numerus="yes">
        <source>Give %1 factors other than 0, separated by commas.</source>
        <translation>
            <numerusform>Einen Faktor ungleich 0 angeben.</numerusform>
            <numerusform>%1 Faktoren ungleich 0 angeben, durch Semikolons getrennt.</numerusform>
        </translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>%1, the first %2 shown</source>
        <translation>%1, gezeigt die ersten %2</translation>
    </message>
    <message>
        <source>%1; the first %2 of %3 columns (“All columns” sets the others, too)</source>
        <translation>%1; die ersten %2 von %3 Spalten („Alle Spalten“ setzt auch die übrigen)</translation>
    </message>
    <message>
        <source>%1. The cloud will have %2.</source>
        <translation>%1. Die Punktwolke wird %2 haben.</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>All open clouds have the same scaling, which is set in the data panel</source>
        <translation>Punktwolken in Reitern haben eine gemeinsame Skalierung, in den Daten</translation>
    </message>
    <message>
        <source>Only one column can be the weight.</source>
        <translation>Nur eine Spalte kann das Gewicht sein.</translation>
    </message>
    <message>
        <source>Another column has the same name as the weight. Set it to “ignore”.</source>
        <translation>Eine andere Spalte heißt wie das Gewicht. Diese weglassen.</translation>
    </message>
    <message>
        <source> minPts will be a sum of the weights.</source>
        <translation> minPts wird eine Summe der Gewichte sein.</translation>
    </message>
    <message>
        <source>%1, use as</source>
        <translation>%1, verwenden als</translation>
    </message>
    <message>
        <source>At most %1 columns can be coordinates. Choose fewer, or reduce them first, in Python: %2</source>
        <translation>Höchstens %1 Spalten können Koordinaten sein. Weniger wählen oder sie vorher reduzieren, in Python: %2</translation>
    </message>
</context>
<context>
    <name>clusterloom::JobQueue</name>
    <message>
        <source>There was not enough memory.</source>
        <translation>Der Speicher reichte nicht aus.</translation>
    </message>
</context>
<context>
    <name>clusterloom::KDistancePage</name>
    <message>
        <source>minPts is larger than the number of points</source>
        <translation>minPts ist größer als die Zahl der Punkte</translation>
    </message>
    <message>
        <source>k-distances in falling order; the line is ε and can be dragged</source>
        <translation>k-Distanzen in fallender Reihenfolge; die Linie ist ε und kann gezogen werden</translation>
    </message>
    <message>
        <source>The k-distances appear here</source>
        <translation>Hier erscheinen die k-Distanzen</translation>
    </message>
    <message>
        <source>The k-distances were stopped: choose another chart and this one again to start them</source>
        <translation>Die k-Distanzen wurden angehalten: Ein anderes Diagramm und dann wieder dieses wählen, um sie zu starten</translation>
    </message>
    <message>
        <source>&amp;Logarithmic distances</source>
        <translation>&amp;Logarithmische Distanzen</translation>
    </message>
</context>
<context>
    <name>clusterloom::KernelTable</name>
    <message>
        <source>Kernels of a run on a GPU</source>
        <translation>Kernel eines Laufs auf einer GPU</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>On the GPU, all launches together</source>
        <translation>Auf der GPU, alle Starts zusammen</translation>
    </message>
    <message>
        <source>Per thread</source>
        <translation>Je Thread</translation>
    </message>
    <message>
        <source>Warps that fit on a multiprocessor at the same time, as a share of its maximum</source>
        <translation>Warps, die zugleich auf einen Multiprozessor passen, als Anteil seiner Höchstzahl</translation>
    </message>
</context>
<context>
    <name>clusterloom::Lesson</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>“%1” must be a text</source>
        <translation>„%1“ muss ein Text sein</translation>
    </message>
    <message>
        <source>“%1” must be a number from %2 to %3</source>
        <translation>„%1“ muss eine Zahl von %2 bis %3 sein</translation>
    </message>
    <message>
        <source>“%1” must be a whole number</source>
        <translation>„%1“ muss eine ganze Zahl sein</translation>
    </message>
    <message>
        <source>“%1” must be true or false</source>
        <translation>„%1“ muss true oder false sein</translation>
    </message>
    <message>
        <source>“%1” must be one of %2</source>
        <translation>„%1“ muss eines sein von %2</translation>
    </message>
    <message>
        <source>“%1” must be an object</source>
        <translation>„%1“ muss ein Objekt sein</translation>
    </message>
    <message>
        <source>“%1” must be a list</source>
        <translation>„%1“ muss eine Liste sein</translation>
    </message>
    <message>
        <source>“%1” must be a list of two numbers, the smaller first</source>
        <translation>„%1“ muss eine Liste aus zwei Zahlen sein, die kleinere zuerst</translation>
    </message>
    <message>
        <source>“%1” is not a known member</source>
        <translation>„%1“ ist kein bekannter Eintrag</translation>
    </message>
    <message>
        <source>“%1”: “%2” is not a known word</source>
        <translation>„%1“: „%2“ ist kein bekanntes Wort</translation>
    </message>
    <message>
        <source>“%1” must be %2, not “%3”</source>
        <translation>„%1“ muss sein: %2, nicht „%3“</translation>
    </message>
    <message>
        <source>“generator” must be one of %1</source>
        <translation>„generator“ muss eines sein von %1</translation>
    </message>
    <message>
        <source>“candidates-per-second” or “queries-per-second” must be above 0</source>
        <translation>„candidates-per-second“ oder „queries-per-second“ muss größer als 0 sein</translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation>„%1“: %2</translation>
    </message>
    <message>
        <source>there is no strategy “%1”; there are %2</source>
        <translation>es gibt keine Strategie „%1“; es gibt %2</translation>
    </message>
    <message>
        <source>strategy “%1”: %2</source>
        <translation>Strategie „%1“: %2</translation>
    </message>
    <message>
        <source>a step must be an object</source>
        <translation>ein Schritt muss ein Objekt sein</translation>
    </message>
    <message>
        <source>“title” is missing</source>
        <translation>„title“ fehlt</translation>
    </message>
    <message>
        <source>“text” is missing</source>
        <translation>„text“ fehlt</translation>
    </message>
    <message>
        <source>only “live” has numbers that a GPU measures</source>
        <translation>nur „live“ hat Zahlen, die eine GPU misst</translation>
    </message>
    <message>
        <source>“question” and “answer” must be given together</source>
        <translation>„question“ und „answer“ müssen zusammen angegeben sein</translation>
    </message>
    <message>
        <source>“eps” is missing</source>
        <translation>„eps“ fehlt</translation>
    </message>
    <message>
        <source>“sides” (the speeds of both processors) is missing</source>
        <translation>„sides“ fehlt, die Geschwindigkeiten beider Prozessoren</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>a comma or a bracket is missing here or just before</source>
        <translation>hier oder kurz davor fehlt ein Komma oder eine Klammer</translation>
    </message>
    <message>
        <source>this is not a lesson; a lesson begins with &quot;format&quot;: &quot;%1&quot;</source>
        <translation>dies ist keine Lektion; eine Lektion beginnt mit &quot;format&quot;: &quot;%1&quot;</translation>
    </message>
    <message>
        <source>version %1 is newer than this program</source>
        <translation>Version %1 ist neuer als dieses Programm</translation>
    </message>
    <message>
        <source>strategy “%1”</source>
        <translation>Strategie „%1“</translation>
    </message>
    <message>
        <source>a strategy is an object under a name without spaces, quotation marks and backslashes</source>
        <translation>eine Strategie ist ein Objekt unter einem Namen ohne Leerzeichen, Anführungszeichen und umgekehrte Schrägstriche</translation>
    </message>
    <message>
        <source>“steps” is missing or empty</source>
        <translation>„steps“ fehlt oder ist leer</translation>
    </message>
    <message>
        <source>step %1 (line %2)</source>
        <translation>Schritt %1 (Zeile %2)</translation>
    </message>
    <message>
        <source>a task must have exactly one of “value”, “choices” and “goal”</source>
        <translation>eine Aufgabe hat „value“, „choices“ oder „goal“, eines davon</translation>
    </message>
    <message>
        <source>“choices” must have two entries or more</source>
        <translation>„choices“ muss zwei Einträge oder mehr haben</translation>
    </message>
    <message>
        <source>“goal” must have at least one claim</source>
        <translation>„goal“ muss mindestens eine Behauptung haben</translation>
    </message>
    <message>
        <source>“solution” is missing</source>
        <translation>„solution“ fehlt</translation>
    </message>
    <message>
        <source>“hints” must have two entries</source>
        <translation>„hints“ muss zwei Einträge haben</translation>
    </message>
    <message>
        <source>a task needs “question” and “answer”</source>
        <translation>eine Aufgabe braucht „question“ und „answer“</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonDrawing</name>
    <message>
        <source>Step %1 of the lesson claims %2, which is not so.</source>
        <translation>Schritt %1 der Lektion behauptet %2, was nicht zutrifft.</translation>
    </message>
    <message>
        <source>Step %1 of the lesson has %2 right choices instead of one.</source>
        <translation>Schritt %1 der Lektion hat %2 richtige Antworten statt einer.</translation>
    </message>
    <message>
        <source>Step %1 was not drawn within five minutes.</source>
        <translation>Schritt %1 wurde nicht innerhalb von fünf Minuten gezeichnet.</translation>
    </message>
    <message>
        <source>Pictures need OpenGL 3.2, which is not available here.</source>
        <translation>Bilder brauchen OpenGL 3.2, das hier nicht verfügbar ist.</translation>
    </message>
    <message>
        <source>The cloud</source>
        <translation>Die Punktwolke</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonOutputs</name>
    <message>
        <source>Modelled: warp %1 takes %2 steps. Each row is one of its 32 lanes.</source>
        <translation>Modelliert: Warp %1 braucht %2 Schritte. Jede Zeile ist eine seiner 32 Lanes.</translation>
    </message>
    <message>
        <source>The page has the first %1 of them.</source>
        <translation>Die Seite hat die ersten %1 davon.</translation>
    </message>
    <message>
        <source>Left, Right: one step. Page Up, Page Down: 32 steps. Home, End: first and last. Space: play.</source>
        <translation>Links, Rechts: ein Schritt. Bild auf, Bild ab: 32 Schritte. Pos1, Ende: erster und letzter. Leertaste: abspielen.</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>%1: the name must end in .%2.</source>
        <translation>%1: Der Name muss auf .%2 enden.</translation>
    </message>
    <message>
        <source>The lesson has %1 steps, and no step %2.</source>
        <translation>Die Lektion hat %1 Schritte und keinen Schritt %2.</translation>
    </message>
    <message>
        <source>No step of the lesson picks a warp.</source>
        <translation>Kein Schritt der Lektion wählt einen Warp.</translation>
    </message>
    <message>
        <source>Step %1 of the lesson picks no warp.</source>
        <translation>Schritt %1 der Lektion wählt keinen Warp.</translation>
    </message>
    <message>
        <source>There is no lesson file %1. The lessons of the program are %2; their numbers are enough.</source>
        <translation>Es gibt keine Lektionsdatei %1. Die Lektionen des Programms sind %2; ihre Nummern genügen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonPlayer</name>
    <message>
        <source>Numbers of the lesson</source>
        <translation>Zahlen der Lektion</translation>
    </message>
    <message>
        <source>Claims of the lesson</source>
        <translation>Behauptungen der Lektion</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>the division</source>
        <translation>die Aufteilung</translation>
    </message>
    <message>
        <source>the strategy</source>
        <translation>die Strategie</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>der Kernel</translation>
    </message>
    <message>
        <source>the colouring</source>
        <translation>die Färbung</translation>
    </message>
    <message>
        <source>the arrows</source>
        <translation>die Pfeile</translation>
    </message>
    <message>
        <source>the GPU</source>
        <translation>die GPU</translation>
    </message>
    <message>
        <source>the weighting of the steps</source>
        <translation>die Gewichtung der Schritte</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonText</name>
    <message>
        <source>a } without its {</source>
        <translation>ein } ohne sein {</translation>
    </message>
    <message>
        <source>a { without its }</source>
        <translation>ein { ohne sein }</translation>
    </message>
    <message>
        <source>{%1}: only percent, count or number can follow the bar</source>
        <translation>{%1}: nach dem Strich steht percent, count oder number</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonWindow</name>
    <message>
        <source>In a lecture: back in the text, then to the previous step</source>
        <translation>Im Vortrag: im Text zurück, dann zum Schritt davor</translation>
    </message>
    <message>
        <source>In a lecture: forward in the text, then to the next step</source>
        <translation>Im Vortrag: im Text weiter, dann zum nächsten Schritt</translation>
    </message>
    <message>
        <source>Lecture: Page Down goes forward, the full stop shows the answer, F12 shows the chart alone, Esc ends the lecture.</source>
        <translation>Vortrag: Bild ab geht weiter, der Punkt zeigt die Antwort, F12 das Diagramm allein, Esc beendet ihn.</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>%1[*] — Clusterloom lessons</source>
        <translation>%1[*] — Clusterloom-Lektionen</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>&amp;Lektion</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Show or hide the &amp;answer</source>
        <translation>&amp;Antwort ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Alt+Return</source>
        <translation>Alt+Return</translation>
    </message>
    <message>
        <source>Restore this &amp;step</source>
        <translation>&amp;Schritt wiederherstellen</translation>
    </message>
    <message>
        <source>Alt+Home</source>
        <translation>Alt+Home</translation>
    </message>
    <message>
        <source>Step bac&amp;k in the warp</source>
        <translation>Schritt z&amp;urück im Warp</translation>
    </message>
    <message>
        <source>Alt+,</source>
        <translation>Alt+,</translation>
    </message>
    <message>
        <source>Step &amp;forward in the warp</source>
        <translation>Schritt &amp;vor im Warp</translation>
    </message>
    <message>
        <source>Alt+.</source>
        <translation>Alt+.</translation>
    </message>
    <message>
        <source>&amp;Play the warp</source>
        <translation>Warp a&amp;bspielen</translation>
    </message>
    <message>
        <source>Alt+P</source>
        <translation>Alt+P</translation>
    </message>
    <message>
        <source>&amp;Open lesson file…</source>
        <translation>&amp;Lektion öffnen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>Save a &amp;copy of the lesson…</source>
        <translation>&amp;Kopie der Lektion speichern…</translation>
    </message>
    <message>
        <source>Ctrl+Alt+L</source>
        <translation>Ctrl+Alt+L</translation>
    </message>
    <message>
        <source>Save a copy of the lesson</source>
        <translation>Kopie der Lektion speichern</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>Lektionen (*.json)</translation>
    </message>
    <message>
        <source>&amp;Reload the lesson file</source>
        <translation>Lektions&amp;datei neu laden</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>Lektion öffnen</translation>
    </message>
    <message>
        <source>Lessons (*.json);;All files (*)</source>
        <translation>Lektionen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Keep a scor&amp;e file…</source>
        <translation>Punkte in eine Da&amp;tei schreiben…</translation>
    </message>
    <message>
        <source>Writes attempts, hints and solved tasks into a file of your choice, for a teacher</source>
        <translation>Schreibt Versuche, Hinweise und gelöste Aufgaben für eine Lehrkraft in eine gewählte Datei</translation>
    </message>
    <message>
        <source>Keep a score file</source>
        <translation>Punkte in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Scores (*.json *.csv)</source>
        <translation>Punkte (*.json *.csv)</translation>
    </message>
    <message>
        <source>Hand-out (*.html)</source>
        <translation>Handzettel (*.html)</translation>
    </message>
    <message>
        <source>Slides (*.html)</source>
        <translation>Folien (*.html)</translation>
    </message>
    <message>
        <source>Hand-out to print (*.pdf)</source>
        <translation>Handzettel zum Drucken (*.pdf)</translation>
    </message>
    <message>
        <source>Slides to print (*.pdf)</source>
        <translation>Folien zum Drucken (*.pdf)</translation>
    </message>
    <message>
        <source>Python notebook (*.ipynb)</source>
        <translation>Python-Notebook (*.ipynb)</translation>
    </message>
    <message>
        <source>Lanes of this step (*.html)</source>
        <translation>Lanes dieses Schritts (*.html)</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Ctrl+Alt+E</source>
        <translation>Ctrl+Alt+E</translation>
    </message>
    <message>
        <source>Export the lesson</source>
        <translation>Lektion exportieren</translation>
    </message>
    <message>
        <source>Drawing the lesson…</source>
        <translation>Die Lektion wird gezeichnet…</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>The lesson is being drawn; the window closes when its file is written.</source>
        <translation>Die Lektion wird gezeichnet; das Fenster schließt sich, wenn ihre Datei geschrieben ist.</translation>
    </message>
    <message>
        <source>Cl&amp;ose now</source>
        <translation>S&amp;ofort schließen</translation>
    </message>
</context>
<context>
    <name>clusterloom::LessonsPanel</name>
    <message>
        <source>Speed of playing</source>
        <translation>Geschwindigkeit beim Abspielen</translation>
    </message>
    <message>
        <source>How many steps of the warp are played per second</source>
        <translation>Wie viele Schritte des Warps in der Sekunde abgespielt werden</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 Schritte/s</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Open a lesson file (Ctrl+Shift+L)</source>
        <translation>Lektionsdatei öffnen (Strg+Umschalt+L)</translation>
    </message>
    <message>
        <source>Open a lesson file</source>
        <translation>Lektionsdatei öffnen</translation>
    </message>
    <message>
        <source>Text of the lesson</source>
        <translation>Text der Lektion</translation>
    </message>
    <message>
        <source>Restore this step</source>
        <translation>Diesen Schritt wiederherstellen</translation>
    </message>
    <message>
        <source>Show the &amp;answer</source>
        <translation>Antwo&amp;rt zeigen</translation>
    </message>
    <message>
        <source>◀</source>
        <translation>◀</translation>
    </message>
    <message>
        <source>Previous step of the warp (Alt+,)</source>
        <translation>Voriger Schritt des Warps (Alt+,)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Step through the warp (Alt+P)</source>
        <translation>Den Warp schrittweise abspielen (Alt+P)</translation>
    </message>
    <message>
        <source>▶</source>
        <translation>▶</translation>
    </message>
    <message>
        <source>Next step of the warp (Alt+.)</source>
        <translation>Nächster Schritt des Warps (Alt+.)</translation>
    </message>
    <message>
        <source>What the warp does at this step</source>
        <translation>Was der Warp in diesem Schritt tut</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>Z&amp;urück</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Ne&amp;xt</source>
        <translation>We&amp;iter</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Warp, step by step</source>
        <translation>Warp, Schritt für Schritt</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Ne&amp;xt lesson</source>
        <translation>Näch&amp;ste Lektion</translation>
    </message>
    <message>
        <source>True for the step&apos;s settings, not for the present ones.</source>
        <translation>Gilt für die Einstellungen des Schritts, nicht für die jetzigen.</translation>
    </message>
    <message>
        <source>Computing the numbers of this run…</source>
        <translation>Zahlen dieses Laufs werden berechnet…</translation>
    </message>
    <message>
        <source>A claim of this lesson is not true. %1</source>
        <translation>Diese Lektion behauptet, was nicht stimmt. %1</translation>
    </message>
    <message>
        <source>Numbers: exact, of the current run</source>
        <translation>Zahlen: exakt, vom aktuellen Lauf</translation>
    </message>
    <message>
        <source>Numbers: modelled, and measured where the text says so</source>
        <translation>Zahlen: modelliert, und gemessen, wo der Text es sagt</translation>
    </message>
    <message>
        <source>Numbers: modelled, of the current run</source>
        <translation>Zahlen: modelliert, vom aktuellen Lauf</translation>
    </message>
    <message>
        <source>No longer true, or changed: %1 (Alt+Home)</source>
        <translation>Gilt jetzt nicht oder ist geändert: %1 (Alt+Pos1)</translation>
    </message>
    <message>
        <source>Hide the &amp;answer</source>
        <translation>Antwo&amp;rt ausblenden</translation>
    </message>
    <message>
        <source>Step through it, or click into the picture of its lanes.</source>
        <translation>Schrittweise durchgehen oder in das Bild seiner Lanes klicken.</translation>
    </message>
    <message>
        <source>Pick a warp: click a bar of the chart.</source>
        <translation>Einen Warp wählen: auf einen Balken des Diagramms klicken.</translation>
    </message>
    <message>
        <source>go to their next adjacent cell</source>
        <translation>gehen zu ihrer nächsten angrenzenden Zelle</translation>
    </message>
    <message>
        <source>search the list of cells for it</source>
        <translation>suchen sie in der Liste der Zellen</translation>
    </message>
    <message>
        <source>compute a distance: lane %1 that of its query point %2 to candidate %3</source>
        <translation>berechnen eine Distanz: Lane %1 die ihres Abfragepunkts %2 zum Kandidaten %3</translation>
    </message>
    <message>
        <source>store a neighbour: lane %1 has found that %2 is within ε of %3</source>
        <translation>speichern einen Nachbarn: Lane %1 hat gefunden, dass %2 innerhalb von ε von %3 liegt</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3 of 32 lanes %4. %5 idle.</source>
        <translation>Schritt %1 von %2: %3 von 32 Lanes %4. %5 untätig.</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>Task solved.</source>
        <translation>Aufgabe gelöst.</translation>
    </message>
</context>
<context>
    <name>clusterloom::LoadLab</name>
    <message>
        <source>Warp load</source>
        <translation>Warp-Last</translation>
    </message>
    <message>
        <source>Warp %1</source>
        <translation>Warp %1</translation>
    </message>
</context>
<context>
    <name>clusterloom::LoadPanel</name>
    <message>
        <source>Steps of every warp in order of launch, work and idling; arrow keys pick</source>
        <translation>Schritte jedes Warps in Startreihenfolge, Arbeit und Leerlauf; Pfeiltasten wählen</translation>
    </message>
    <message>
        <source>Multiprocessors over time</source>
        <translation>Multiprozessoren über die Zeit</translation>
    </message>
    <message>
        <source>How many warps take how many steps</source>
        <translation>Wie viele Warps wie viele Schritte brauchen</translation>
    </message>
    <message>
        <source>The picked warp, lane by lane and step by step; arrow keys step</source>
        <translation>Der gewählte Warp, Lane für Lane und Schritt für Schritt; Pfeiltasten gehen schrittweise</translation>
    </message>
    <message>
        <source>View of the load</source>
        <translation>Ansicht der Last</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>multiprocessors</source>
        <translation>Multiprozessoren</translation>
    </message>
    <message>
        <source>histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Warps in order of launch, when and where they run, or how their steps are distributed</source>
        <translation>Warps in Startreihenfolge, wann und wo sie laufen oder wie sich ihre Schritte verteilen</translation>
    </message>
    <message>
        <source>Strategy whose load is shown</source>
        <translation>Strategie, deren Last gezeigt wird</translation>
    </message>
    <message>
        <source>The strategy of the engine panel, or one of the papers&apos;</source>
        <translation>Die Strategie des Engine-Bereichs oder eine der Arbeiten</translation>
    </message>
    <message>
        <source>current settings</source>
        <translation>aktuelle Einstellungen</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>The cost of a hit: the papers&apos; kernels write pairs, ours counts</source>
        <translation>Die Kosten eines Treffers: Die Kernel der Arbeiten schreiben Paare, unserer zählt</translation>
    </message>
    <message>
        <source>writes pairs</source>
        <translation>schreibt Paare</translation>
    </message>
    <message>
        <source>counts</source>
        <translation>zählt</translation>
    </message>
    <message>
        <source>Summary of the warp load</source>
        <translation>Zusammenfassung der Warp-Last</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>of strategy</source>
        <translation>der Strategie</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>Multiprocessors</source>
        <translation>Multiprozessoren</translation>
    </message>
    <message>
        <source>Steps per warp</source>
        <translation>Schritte je Warp</translation>
    </message>
    <message>
        <source>Lanes of the picked warp</source>
        <translation>Lanes des gewählten Warps</translation>
    </message>
    <message>
        <source>Pick a warp to see its lanes</source>
        <translation>Für die Lanes einen Warp wählen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Stop computing the load</source>
        <translation>Berechnen der Last abbrechen</translation>
    </message>
    <message>
        <source>Compute the load for the current parameters</source>
        <translation>Die Last für die aktuellen Parameter berechnen</translation>
    </message>
    <message>
        <source>warp %1 is outside the sample, computed separately</source>
        <translation>Warp %1 liegt außerhalb der Stichprobe, getrennt berechnet</translation>
    </message>
    <message>
        <source>warp %1 is outside the sample, computing it…</source>
        <translation>Warp %1 liegt außerhalb der Stichprobe, wird berechnet…</translation>
    </message>
    <message>
        <source>for other parameters</source>
        <translation>für andere Parameter</translation>
    </message>
    <message>
        <source>steps measured, weights fitted</source>
        <translation>Schritte gemessen, Gewichte angepasst</translation>
    </message>
    <message>
        <source>A profiler counts instructions and shows a lower WEE: %1 for a run with %2 here. The guide&apos;s page “The load lab” has both for six strategies.</source>
        <translation>Ein Profiler zählt Instruktionen und zeigt eine niedrigere WEE: %1 für einen Lauf mit %2 hier. Die Seite Das Lastlabor des Handbuchs nennt beide für sechs Strategien.</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>WEE %1</source>
        <translation>WEE %1</translation>
    </message>
    <message>
        <source>modelled %1</source>
        <translation>modelliert %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 warps</source>
        <translation>
            <numerusform>1 Warp</numerusform>
            <numerusform>%1 Warps</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 threads per query point</source>
        <translation>%1 Threads je Abfragepunkt</translation>
    </message>
    <message numerus="yes">
        <source>%1 batches</source>
        <translation>
            <numerusform>1 Batch</numerusform>
            <numerusform>%1 Batches</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 distance calculations</source>
        <translation>%1 Distanzberechnungen</translation>
    </message>
    <message>
        <source>makespan %1 × the ideal, %2</source>
        <translation>Gesamtdauer %1 × die ideale, %2</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Computing the load of every warp…</source>
        <translation>Last jedes Warps wird berechnet…</translation>
    </message>
    <message>
        <source>The load of every warp appears here</source>
        <translation>Hier erscheint die Last jedes Warps</translation>
    </message>
    <message>
        <source>Weighting of the steps</source>
        <translation>Gewichtung der Schritte</translation>
    </message>
    <message>
        <source>WEE: each step counts its cost, fitted to measured warps. Unweighted WEE: each step counts 1</source>
        <translation>WEE: Jeder Schritt zählt seine Kosten, an gemessene Warps angepasst. Ungewichtete WEE: Jeder Schritt zählt 1</translation>
    </message>
    <message>
        <source>by their cost</source>
        <translation>nach ihren Kosten</translation>
    </message>
    <message>
        <source>all equal</source>
        <translation>alle gleich</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>unweighted WEE %1</source>
        <translation>ungewichtete WEE %1</translation>
    </message>
    <message>
        <source>GPU that is modelled</source>
        <translation>GPU, die modelliert wird</translation>
    </message>
    <message>
        <source>The GPU that is modelled: choose one, or type multiprocessors x warps of each, as in 8x4, or with a clock in GHz, 8x4@1.5. A measured load always belongs to the GPU in this machine</source>
        <translation>Die GPU, die modelliert wird: eine wählen oder Multiprozessoren x Warps auf jedem eingeben, wie in 8x4, oder mit einem Takt in GHz, 8x4@1.5. Eine gemessene Last gehört immer zur GPU in dieser Maschine</translation>
    </message>
    <message>
        <source>%1 multiprocessors of %2 warps, %3 GHz</source>
        <translation>%1 Multiprozessoren von je %2 Warps, %3 GHz</translation>
    </message>
</context>
<context>
    <name>clusterloom::HelpActions</name>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;User&apos;s guide</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Shift+F1</source>
        <translation>Shift+F1</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>Ctrl+F1</source>
        <translation>Ctrl+F1</translation>
    </message>
    <message>
        <source>Learn why warps idle and what helps, in short lessons</source>
        <translation>In kurzen Lektionen lernen, warum Warps untätig sind und was dagegen hilft</translation>
    </message>
    <message>
        <source>&amp;About Clusterloom</source>
        <translation>&amp;Über Clusterloom</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>Open the menus</source>
        <translation>Menüs öffnen</translation>
    </message>
    <message>
        <source>Open the menu of the focused widget</source>
        <translation>Menü dessen öffnen, was den Fokus hat</translation>
    </message>
    <message>
        <source>About Clusterloom</source>
        <translation>Über Clusterloom</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Clusterloom %1&lt;/h2&gt;&lt;p&gt;Explore density-based clusters in point clouds: exact DBSCAN while ε is dragged, the grid that found the clusters, and what it cost.&lt;/p&gt;&lt;p&gt;Joins run on: %2&lt;/p&gt;&lt;p&gt;Made with Qt %3 and VTK. BSD-3-Clause licence.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;Clusterloom %1&lt;/h2&gt;&lt;p&gt;Dichtebasierte Cluster in Punktwolken erkunden: exaktes DBSCAN, während ε gezogen wird, das Gitter, das die Cluster gefunden hat, und was es gekostet hat.&lt;/p&gt;&lt;p&gt;Joins laufen auf: %2&lt;/p&gt;&lt;p&gt;Erstellt mit Qt %3 und VTK. BSD-3-Clause-Lizenz.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>View: rotate (pan in 2-D)</source>
        <translation>Ansicht: drehen (in 2-D verschieben)</translation>
    </message>
    <message>
        <source>+ and −</source>
        <translation>+ und −</translation>
    </message>
    <message>
        <source>View: zoom</source>
        <translation>Ansicht: zoomen</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>View: show everything</source>
        <translation>Ansicht: alles zeigen</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>View: clear the selection</source>
        <translation>Ansicht: Auswahl aufheben</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>View: select the points in a rectangle (with Ctrl: add them)</source>
        <translation>Ansicht: Punkte in einem Rechteck auswählen (mit Strg: hinzufügen)</translation>
    </message>
    <message>
        <source>Ctrl+drag</source>
        <translation>Strg+Ziehen</translation>
    </message>
    <message>
        <source>View: move</source>
        <translation>Ansicht: verschieben</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>Doppelklick</translation>
    </message>
    <message>
        <source>View: rotate about the point (3-D)</source>
        <translation>Ansicht: um den Punkt drehen (3-D)</translation>
    </message>
    <message>
        <source>Menu, Shift+F10</source>
        <translation>Menü, Umschalt+F10</translation>
    </message>
    <message>
        <source>View: menu</source>
        <translation>Ansicht: Menü</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>ε slider: about 1 %</source>
        <translation>ε-Regler: etwa 1 %</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Bild auf, Bild ab</translation>
    </message>
    <message>
        <source>ε slider: large steps</source>
        <translation>ε-Regler: große Schritte</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <source>ε box: about 1 %</source>
        <translation>ε-Feld: etwa 1 %</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabetaste</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Clusters: check or uncheck to show or hide</source>
        <translation>Cluster: Häkchen setzen oder entfernen, um ein- oder auszublenden</translation>
    </message>
    <message>
        <source>Clusters: zoom to the row; runs: use again; chart: show its values</source>
        <translation>Cluster: auf die Zeile zoomen; Läufe: wieder verwenden; Diagramm: Werte zeigen</translation>
    </message>
</context>
<context>
    <name>clusterloom::SelectionActions</name>
    <message>
        <source>Cluster</source>
        <translation>Clustern</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>&amp;Selection</source>
        <translation>Aus&amp;wahl</translation>
    </message>
    <message>
        <source>&amp;Invert selection</source>
        <translation>Auswahl &amp;umkehren</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Select the points that are not selected</source>
        <translation>Die Punkte auswählen, die nicht ausgewählt sind</translation>
    </message>
    <message>
        <source>Clear selectio&amp;n</source>
        <translation>Auswahl auf&amp;heben</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>&amp;Keep only the selection</source>
        <translation>Nur die Auswahl &amp;behalten</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Later runs leave out the other points; undo brings them back</source>
        <translation>Die anderen Punkte nehmen an Läufen nicht mehr teil; Rückgängig bringt sie zurück</translation>
    </message>
    <message>
        <source>Remo&amp;ve the selection</source>
        <translation>Auswahl &amp;entfernen</translation>
    </message>
    <message>
        <source>Ctrl+Delete</source>
        <translation>Ctrl+Delete</translation>
    </message>
    <message>
        <source>Later runs leave out the selected points; undo brings them back</source>
        <translation>Die ausgewählten Punkte nehmen an Läufen nicht mehr teil; Rückgängig bringt sie zurück</translation>
    </message>
    <message>
        <source>Re&amp;store removed points</source>
        <translation>Entfernte &amp;Punkte wiederherstellen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>All points take part in runs again</source>
        <translation>Alle Punkte nehmen wieder an Läufen teil</translation>
    </message>
    <message>
        <source>Cluster the selection &amp;only…</source>
        <translation>Nur die Auswahl &amp;clustern…</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Cluster the selected points on their own, with their own ε and minPts</source>
        <translation>Die ausgewählten Punkte für sich clustern, mit eigenem ε und minPts</translation>
    </message>
    <message>
        <source>Cluster &amp;all points alike</source>
        <translation>Alle Punkte &amp;gleich clustern</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>No selection is clustered on its own any more; undo takes it back</source>
        <translation>Keine Auswahl wird mehr für sich geclustert; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Selects all points within the outline, also those behind others; points of hidden clusters are left out. Ctrl adds to the selection.</source>
        <translation>Wählt alle Punkte innerhalb des Umrisses aus, auch solche, die von anderen verdeckt sind; Punkte ausgeblendeter Cluster bleiben außen vor. Strg fügt zur Auswahl hinzu.</translation>
    </message>
    <message>
        <source>&amp;Move the view</source>
        <translation>&amp;Ansicht bewegen</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>Select a &amp;rectangle</source>
        <translation>&amp;Rechteck auswählen</translation>
    </message>
    <message>
        <source>R</source>
        <translation>R</translation>
    </message>
    <message>
        <source>Drag a rectangle (or Shift+drag at any time).</source>
        <translation>Ein Rechteck ziehen (oder jederzeit mit Umschalt ziehen).</translation>
    </message>
    <message>
        <source>Select with a &amp;lasso</source>
        <translation>Mit &amp;Lasso auswählen</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>Drag a free outline.</source>
        <translation>Einen freien Umriss ziehen.</translation>
    </message>
    <message>
        <source>Export the selected points</source>
        <translation>Ausgewählte Punkte exportieren</translation>
    </message>
    <message>
        <source>selection.csv</source>
        <translation>auswahl.csv</translation>
    </message>
</context>
<context>
    <name>clusterloom::OutputActions</name>
    <message>
        <source>The selected clusters are not there any more.</source>
        <translation>Die ausgewählten Cluster gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>S&amp;ave session</source>
        <translation>&amp;Sitzung speichern</translation>
    </message>
    <message>
        <source>Sa&amp;ve session as…</source>
        <translation>Sitzung speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Export labelled points, the table of clusters or a picture</source>
        <translation>Punkte mit Labels, die Tabelle der Cluster oder ein Bild exportieren</translation>
    </message>
    <message>
        <source>Save p&amp;icture…</source>
        <translation>B&amp;ild speichern…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Save a picture of the view at any resolution, with a transparent background if wanted</source>
        <translation>Ein Bild der Ansicht in beliebiger Auflösung speichern, auf Wunsch mit durchsichtigem Hintergrund</translation>
    </message>
    <message>
        <source>Co&amp;py as command line</source>
        <translation>Als Befehlszeile &amp;kopieren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Copy the clusterloom-cli call that gives the same labels</source>
        <translation>Den Aufruf von clusterloom-cli kopieren, der dieselben Labels ergibt</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Copy as &amp;batch script</source>
        <translation>Als Ba&amp;tch-Skript kopieren</translation>
    </message>
    <message>
        <source>Copy a Slurm script that gives the same labels on a cluster of machines</source>
        <translation>Ein Slurm-Skript kopieren, das auf einem Rechencluster dieselben Labels ergibt</translation>
    </message>
    <message>
        <source>Copied a batch script for Slurm. Adapt its number of ranks, threads and time.</source>
        <translation>Ein Batch-Skript für Slurm wurde kopiert. Die Zahl der Ranks und Threads und die Zeit darin anpassen.</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Clusterloom sessions (*.clusterloom)</source>
        <translation>Clusterloom-Sitzungen (*.clusterloom)</translation>
    </message>
    <message>
        <source>-clusters</source>
        <translation>-cluster</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Frames of the growth</source>
        <translation>Bilder des Wachstums</translation>
    </message>
    <message>
        <source>Frames from the smallest ε to the largest, evenly on a logarithmic scale</source>
        <translation>Bilder vom kleinsten ε bis zum größten, gleichmäßig auf einer logarithmischen Skala</translation>
    </message>
    <message>
        <source>Frames of the column %1</source>
        <translation>Bilder der Spalte %1</translation>
    </message>
    <message>
        <source>Frames from the first window to the last, evenly over the column; with as many frames as values, one for each</source>
        <translation>Bilder vom ersten Fenster bis zum letzten, gleichmäßig über die Spalte; bei so vielen Bildern wie Werten eines für jeden</translation>
    </message>
    <message>
        <source>Folder of the frames</source>
        <translation>Ordner der Bilder</translation>
    </message>
    <message>
        <source>Saving frames …</source>
        <translation>Bilder werden gespeichert …</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message numerus="yes">
        <source>%1 frames</source>
        <translation>
            <numerusform>1 Bild</numerusform>
            <numerusform>%1 Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped after %1 in %2</source>
        <translation>Angehalten: %1 in %2</translation>
    </message>
    <message>
        <source>Saved %1 in %2</source>
        <translation>%1 gespeichert in %2</translation>
    </message>
    <message>
        <source>The call clusters all points of the file alike; the window has %1.</source>
        <translation>Der Aufruf clustert alle Punkte der Datei gleich; im Fenster gilt: %1.</translation>
    </message>
    <message>
        <source>The labels of all rows are not there any more.</source>
        <translation>Die Labels aller Zeilen sind nicht mehr da.</translation>
    </message>
    <message numerus="yes">
        <source>%1 more columns</source>
        <translation>
            <numerusform>1 weitere Spalte</numerusform>
            <numerusform>%1 weitere Spalten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot hold everything unchanged:</source>
        <translation>%1 würde nicht alles unverändert enthalten:</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>&amp;Export with loss</source>
        <translation>Mit Verlust &amp;exportieren</translation>
    </message>
</context>
<context>
    <name>clusterloom::ViewActions</name>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>E&amp;inpassen</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>&amp;Zoom to selection</source>
        <translation>Auf Auswahl &amp;zoomen</translation>
    </message>
    <message>
        <source>Z</source>
        <translation>Z</translation>
    </message>
    <message>
        <source>Zoom to the selected clusters or points</source>
        <translation>Auf die ausgewählten Cluster oder Punkte zoomen</translation>
    </message>
    <message>
        <source>&amp;Rotate about the picked point</source>
        <translation>Um den gewählten Punkt &amp;drehen</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>In 3-D: turn about the picked point (or double-click a point); Fit resets it</source>
        <translation>In 3-D: um den gewählten Punkt drehen (oder einen Punkt doppelklicken); Einpassen setzt es zurück</translation>
    </message>
    <message>
        <source>&amp;2-D</source>
        <translation>&amp;2-D</translation>
    </message>
    <message>
        <source>&amp;3-D</source>
        <translation>&amp;3-D</translation>
    </message>
    <message>
        <source>2</source>
        <translation>2</translation>
    </message>
    <message>
        <source>3</source>
        <translation>3</translation>
    </message>
    <message>
        <source>Show two axes flat</source>
        <translation>Zwei Achsen flach zeigen</translation>
    </message>
    <message>
        <source>Show three axes</source>
        <translation>Drei Achsen zeigen</translation>
    </message>
    <message>
        <source>Orthographic</source>
        <translation>Orthografisch</translation>
    </message>
    <message>
        <source>O</source>
        <translation>O</translation>
    </message>
    <message>
        <source>In 3-D, draw equal lengths equally long at any distance</source>
        <translation>In 3-D gleiche Längen gleich lang zeigen, wie weit entfernt sie auch sind</translation>
    </message>
    <message>
        <source>&amp;Look from</source>
        <translation>&amp;Blick von</translation>
    </message>
    <message>
        <source>&amp;Front</source>
        <translation>&amp;Vorn</translation>
    </message>
    <message>
        <source>Ctrl+1</source>
        <translation>Ctrl+1</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Hinten</translation>
    </message>
    <message>
        <source>Ctrl+Shift+1</source>
        <translation>Ctrl+Shift+1</translation>
    </message>
    <message>
        <source>&amp;Right</source>
        <translation>&amp;Rechts</translation>
    </message>
    <message>
        <source>Ctrl+3</source>
        <translation>Ctrl+3</translation>
    </message>
    <message>
        <source>&amp;Left</source>
        <translation>&amp;Links</translation>
    </message>
    <message>
        <source>Ctrl+Shift+3</source>
        <translation>Ctrl+Shift+3</translation>
    </message>
    <message>
        <source>&amp;Top</source>
        <translation>&amp;Oben</translation>
    </message>
    <message>
        <source>Ctrl+7</source>
        <translation>Ctrl+7</translation>
    </message>
    <message>
        <source>B&amp;ottom</source>
        <translation>&amp;Unten</translation>
    </message>
    <message>
        <source>Ctrl+Shift+7</source>
        <translation>Ctrl+Shift+7</translation>
    </message>
    <message>
        <source>&amp;Corner</source>
        <translation>&amp;Ecke</translation>
    </message>
    <message>
        <source>Ctrl+5</source>
        <translation>Ctrl+5</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>&amp;Farbe nach</translation>
    </message>
    <message>
        <source>Gr&amp;id</source>
        <translation>Gi&amp;tter</translation>
    </message>
    <message>
        <source>G</source>
        <translation>G</translation>
    </message>
    <message>
        <source>Show the cells of the grid</source>
        <translation>Die Zellen des Gitters zeigen</translation>
    </message>
    <message>
        <source>C&amp;olour cells by</source>
        <translation>Ze&amp;llen färben nach</translation>
    </message>
    <message>
        <source>&amp;Points</source>
        <translation>&amp;Punkten</translation>
    </message>
    <message>
        <source>&amp;Workload (candidates of a query point)</source>
        <translation>&amp;Arbeitslast (Kandidaten eines Abfragepunkts)</translation>
    </message>
    <message>
        <source>Access pattern arro&amp;ws</source>
        <translation>Pfeile des Zugriffs&amp;musters</translation>
    </message>
    <message>
        <source>Point at a cell: arrows show which cells it is compared with, numbers show how many</source>
        <translation>Auf eine Zelle zeigen: Pfeile zeigen, mit welchen Zellen sie verglichen wird, Zahlen zeigen, mit wie vielen</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>&amp;Full</source>
        <translation>&amp;Voll</translation>
    </message>
    <message>
        <source>&amp;UNICOMP</source>
        <translation>&amp;UNICOMP</translation>
    </message>
    <message>
        <source>&amp;LID-UNICOMP</source>
        <translation>&amp;LID-UNICOMP</translation>
    </message>
    <message>
        <source>&amp;Hide others</source>
        <translation>&amp;Andere ausblenden</translation>
    </message>
    <message>
        <source>H</source>
        <translation>H</translation>
    </message>
    <message>
        <source>Show only the selected clusters</source>
        <translation>Nur die ausgewählten Cluster zeigen</translation>
    </message>
    <message>
        <source>&amp;Show all</source>
        <translation>Alle ei&amp;nblenden</translation>
    </message>
    <message>
        <source>Shift+H</source>
        <translation>Shift+H</translation>
    </message>
    <message>
        <source>Show all clusters and noise</source>
        <translation>Alle Cluster und das Rauschen zeigen</translation>
    </message>
    <message>
        <source>Play a column</source>
        <translation>Spalte abspielen</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>Step through the values of a column, such as a time: only the points in a window of values are drawn</source>
        <translation>Geht durch die Werte einer Spalte, etwa einer Zeit: Nur die Punkte in einem Fenster von Werten werden gezeichnet</translation>
    </message>
    <message>
        <source>&amp;Bigger points</source>
        <translation>G&amp;rößere Punkte</translation>
    </message>
    <message>
        <source>]</source>
        <translation>]</translation>
    </message>
    <message>
        <source>S&amp;maller points</source>
        <translation>&amp;Kleinere Punkte</translation>
    </message>
    <message>
        <source>[</source>
        <translation>[</translation>
    </message>
    <message>
        <source>Appeara&amp;nce…</source>
        <translation>Dar&amp;stellung…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Size and opacity of points, colour map and its range</source>
        <translation>Größe und Deckkraft der Punkte, Farbtabelle und ihr Bereich</translation>
    </message>
    <message>
        <source>&amp;Axes</source>
        <translation>A&amp;chsen</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>Blend by density</source>
        <translation>Nach Dichte überblenden</translation>
    </message>
    <message>
        <source>D</source>
        <translation>D</translation>
    </message>
    <message>
        <source>In 2-D, show how densely points overlap: clusters are fainter where they are sparse</source>
        <translation>In 2-D, wo viele Punkte übereinander liegen, zeigen, wie viele es sind: Cluster sind blasser, wo sie dünn sind</translation>
    </message>
    <message>
        <source>Eye-dome lighting</source>
        <translation>Eye-Dome-Beleuchtung</translation>
    </message>
    <message>
        <source>E</source>
        <translation>E</translation>
    </message>
    <message>
        <source>In 3-D, darken points behind others, so that the shape of a scan shows</source>
        <translation>In 3-D abdunkeln, was hinter seinen Nachbarn liegt: Man sieht die Form eines Scans</translation>
    </message>
    <message>
        <source>Scale bar</source>
        <translation>Maßstabsleiste</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>A bar whose length is a round number, in 2-D and in orthographic views</source>
        <translation>Eine Leiste von runder Länge, in 2-D und in orthografischen Ansichten</translation>
    </message>
    <message>
        <source>Bac&amp;kground</source>
        <translation>Hinter&amp;grund</translation>
    </message>
    <message>
        <source>Follow the &amp;theme</source>
        <translation>Wie das &amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;cluster</source>
        <translation>&amp;Cluster</translation>
    </message>
    <message>
        <source>&amp;role (core, border, noise)</source>
        <translation>&amp;Rolle (Kern, Rand, Rauschen)</translation>
    </message>
    <message>
        <source>&amp;density</source>
        <translation>&amp;Dichte</translation>
    </message>
    <message>
        <source>&amp;true colour</source>
        <translation>&amp;Echtfarben</translation>
    </message>
    <message>
        <source>&amp;workload (candidates)</source>
        <translation>&amp;Arbeitslast (Kandidaten)</translation>
    </message>
    <message>
        <source>w&amp;arp</source>
        <translation>&amp;Warp</translation>
    </message>
    <message>
        <source>&amp;idle lane-steps caused</source>
        <translation>&amp;Leerlauf (verursachte Lane-Schritte)</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>Spalte %1</translation>
    </message>
    <message>
        <source>dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>Hi&amp;de the selected</source>
        <translation>Aus&amp;gewählte ausblenden</translation>
    </message>
    <message>
        <source>Hide nois&amp;e</source>
        <translation>&amp;Rauschen ausblenden</translation>
    </message>
    <message>
        <source>Check the clusters</source>
        <translation>Die Cluster prüfen</translation>
    </message>
    <message>
        <source>Show in the table of clusters how far each can be trusted</source>
        <translation>Sagt in der Tabelle der Cluster, wie weit jedem zu trauen ist</translation>
    </message>
</context>
<context>
    <name>clusterloom::MainWindow</name>
    <message>
        <source>All rows of large files…</source>
        <translation>Alle Zeilen großer Dateien…</translation>
    </message>
    <message>
        <source>Whether and where all rows of files that do not fit into the memory are stored for drawing</source>
        <translation>Ob und wo alle Zeilen von Dateien, die nicht in den Speicher passen, zum Zeichnen abgelegt werden</translation>
    </message>
    <message>
        <source>Charts of the engine</source>
        <translation>Diagramme der Engine</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>Show the charts of how the work is done instead of the charts of the clusters</source>
        <translation>Die Diagramme dazu, wie gerechnet wird, statt der Diagramme der Cluster zeigen</translation>
    </message>
    <message>
        <source>Maximise the chart</source>
        <translation>Diagramm maximieren</translation>
    </message>
    <message>
        <source>F12</source>
        <translation>F12</translation>
    </message>
    <message>
        <source>Show the chart alone, as large as the window; Esc goes back</source>
        <translation>Das Diagramm allein zeigen, so groß wie das Fenster; Esc geht zurück</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>%1 Renamed there: %2.</source>
        <translation>%1 Andere Namen dort: %2.</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>%1 wurde geschrieben.</translation>
    </message>
    <message>
        <source>Show f&amp;older</source>
        <translation>&amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Saved the session as %1.</source>
        <translation>Die Sitzung wurde als %1 gespeichert.</translation>
    </message>
    <message>
        <source>Looking at %1</source>
        <translation>%1 wird angesehen</translation>
    </message>
    <message>
        <source>Clusterloom did not close properly last time. The previous work can be restored.</source>
        <translation>Clusterloom wurde beim letzten Mal nicht ordnungsgemäß beendet. Die vorige Arbeit kann wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>Rest&amp;ore</source>
        <translation>Wiede&amp;rherstellen</translation>
    </message>
    <message>
        <source>Skip these r&amp;ows</source>
        <translation>&amp;Ohne diese Zeilen lesen</translation>
    </message>
    <message>
        <source>Read &amp;one row of %1</source>
        <translation>Eine Zeile v&amp;on %1 lesen</translation>
    </message>
    <message>
        <source>Import &amp;options…</source>
        <translation>Imp&amp;ortoptionen…</translation>
    </message>
    <message>
        <source>%1[*] — Clusterloom</source>
        <translation>%1[*] — Clusterloom</translation>
    </message>
    <message>
        <source>Clusterloom</source>
        <translation>Clusterloom</translation>
    </message>
    <message>
        <source>Stopped before an ε was suggested. Enter ε, or run to look for one.</source>
        <translation>Angehalten, bevor ein ε vorgeschlagen wurde. ε eingeben oder mit „Ausführen“ suchen lassen.</translation>
    </message>
    <message>
        <source>Ru&amp;n</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>Colour: %1</source>
        <translation>Farbe: %1</translation>
    </message>
    <message>
        <source>Presentation: Esc or F11 leaves it.</source>
        <translation>Präsentation: Esc oder F11 beendet sie.</translation>
    </message>
    <message>
        <source>A file is being written; the window closes when it is done.</source>
        <translation>Eine Datei wird geschrieben; das Fenster schließt sich, wenn sie fertig ist.</translation>
    </message>
    <message>
        <source>Cl&amp;ose now</source>
        <translation>S&amp;ofort schließen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Öffnen…</translation>
    </message>
    <message>
        <source>Open a point cloud</source>
        <translation>Eine Punktwolke öffnen</translation>
    </message>
    <message>
        <source>&amp;Columns…</source>
        <translation>S&amp;palten…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>%1 is a session, which cannot be opened beside the open clouds. Open session… opens it in their place.</source>
        <translation>%1 ist eine Sitzung und kann nicht neben den geöffneten Punktwolken geöffnet werden. „Sitzung öffnen…“ öffnet sie an deren Stelle.</translation>
    </message>
    <message>
        <source>Choose the columns of the open text file again</source>
        <translation>Die Spalten der geöffneten Textdatei neu wählen</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>Beispie&amp;le</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>A&amp;dd points…</source>
        <translation>Punkte &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+D</source>
        <translation>Ctrl+Shift+D</translation>
    </message>
    <message>
        <source>Draw the points of another file over the cloud and label them by the clusters of the cloud</source>
        <translation>Die Punkte einer anderen Datei über der Punktwolke zeichnen und nach deren Clustern mit Labels versehen</translation>
    </message>
    <message>
        <source>Remove added poin&amp;ts</source>
        <translation>Hinzugefügte Punkte &amp;entfernen</translation>
    </message>
    <message>
        <source>Ope&amp;n labels…</source>
        <translation>L&amp;abels öffnen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>Show labels of the open cloud from a file, for example those computed on a cluster of machines</source>
        <translation>Labels der geöffneten Punktwolke zeigen, die in einer Datei stehen, etwa solche, die ein Rechencluster berechnet hat</translation>
    </message>
    <message>
        <source>Open &amp;session…</source>
        <translation>Sitzung ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open data, parameters and view as they were saved</source>
        <translation>Daten, Parameter und Ansicht öffnen, wie sie gespeichert wurden</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Ctrl+W</source>
        <translation>Ctrl+W</translation>
    </message>
    <message>
        <source>Ctrl+F4</source>
        <translation>Ctrl+F4</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Copy clusters</source>
        <translation>Cluster &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the selected rows of the table of clusters</source>
        <translation>Die ausgewählten Zeilen der Tabelle der Cluster kopieren</translation>
    </message>
    <message>
        <source>Go to &amp;ε</source>
        <translation>Gehe zu &amp;ε</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Go to &amp;minPts</source>
        <translation>Gehe zu &amp;minPts</translation>
    </message>
    <message>
        <source>Ctrl+M</source>
        <translation>Ctrl+M</translation>
    </message>
    <message>
        <source>&amp;Filter clusters</source>
        <translation>Cluster &amp;filtern</translation>
    </message>
    <message>
        <source>Go to the &amp;view</source>
        <translation>Zur Ans&amp;icht</translation>
    </message>
    <message>
        <source>Ctrl+T</source>
        <translation>Ctrl+T</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>Run with the parameters as they are</source>
        <translation>Mit den Parametern ausführen, wie sie sind</translation>
    </message>
    <message>
        <source>Run aut&amp;omatically</source>
        <translation>A&amp;utomatisch ausführen</translation>
    </message>
    <message>
        <source>Run whenever a parameter changes</source>
        <translation>Ausführen, sobald sich ein Parameter ändert</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stopp</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>&amp;Rückgängig %1</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>&amp;Wiederholen %1</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farbsc&amp;hema</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>Bereich&amp;e</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>Shift+F11</source>
        <translation>Shift+F11</translation>
    </message>
    <message>
        <source>Pres&amp;entation</source>
        <translation>Präsentati&amp;on</translation>
    </message>
    <message>
        <source>F11</source>
        <translation>F11</translation>
    </message>
    <message>
        <source>The view alone on the whole screen, with larger points and labels</source>
        <translation>Nur die Ansicht auf dem ganzen Bildschirm, mit größeren Punkten und Beschriftungen</translation>
    </message>
    <message>
        <source>Leave the maximised chart or the presentation</source>
        <translation>Maximiertes Diagramm oder Präsentation verlassen</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>The language changes when Clusterloom is started again.</source>
        <translation>Die Sprache wechselt, wenn Clusterloom neu gestartet wird.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <source>What the colours of the points mean</source>
        <translation>Was die Farben der Punkte bedeuten</translation>
    </message>
    <message>
        <source>%1 (session)</source>
        <translation>%1 (Sitzung)</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>Point clouds and sessions (%1 *.clusterloom)</source>
        <translation>Punktwolken und Sitzungen (%1 *.clusterloom)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Add points</source>
        <translation>Punkte hinzufügen</translation>
    </message>
    <message>
        <source>Point clouds (%1)</source>
        <translation>Punktwolken (%1)</translation>
    </message>
    <message>
        <source>Open labels</source>
        <translation>Labels öffnen</translation>
    </message>
    <message>
        <source>Labels (*.npy *.csv *.txt *.gz *.zst)</source>
        <translation>Labels (*.npy *.csv *.txt *.gz *.zst)</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Clusterloom sessions (*.clusterloom)</source>
        <translation>Clusterloom-Sitzungen (*.clusterloom)</translation>
    </message>
    <message>
        <source>Open %1 here, in place of the open data, or in another window?</source>
        <translation>%1 hier öffnen, an Stelle dessen, was offen ist, oder in einem anderen Fenster?</translation>
    </message>
    <message>
        <source>Open &amp;here</source>
        <translation>&amp;Hier öffnen</translation>
    </message>
    <message>
        <source>&amp;Another window</source>
        <translation>&amp;Anderes Fenster</translation>
    </message>
    <message>
        <source>Go to the &amp;table of clusters</source>
        <translation>Zur Cluster&amp;tabelle</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>Go to the c&amp;harts</source>
        <translation>Zu den &amp;Diagrammen</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>Open &amp;for comparison…</source>
        <translation>Zum Ver&amp;gleich öffnen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+N</source>
        <translation>Ctrl+Shift+N</translation>
    </message>
    <message>
        <source>Open another cloud in a tab beside this one, with the same parameters (or drop it with Ctrl held)</source>
        <translation>Eine weitere Punktwolke in einem Reiter neben dieser öffnen, mit denselben Parametern (oder mit gedrückter Strg-Taste ablegen)</translation>
    </message>
    <message>
        <source>Ne&amp;xt cloud</source>
        <translation>Nächste Punkt&amp;wolke</translation>
    </message>
    <message>
        <source>Ctrl+PgDown</source>
        <translation>Ctrl+PgDown</translation>
    </message>
    <message>
        <source>Show the next of the open clouds</source>
        <translation>Die nächste der geöffneten Punktwolken zeigen</translation>
    </message>
    <message>
        <source>Pre&amp;vious cloud</source>
        <translation>Vorige P&amp;unktwolke</translation>
    </message>
    <message>
        <source>Ctrl+PgUp</source>
        <translation>Ctrl+PgUp</translation>
    </message>
    <message>
        <source>Show the previous of the open clouds</source>
        <translation>Die vorige der geöffneten Punktwolken zeigen</translation>
    </message>
    <message>
        <source>Open for comparison</source>
        <translation>Zum Vergleich öffnen</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 other files</source>
        <translation>
            <numerusform>1 andere Datei</numerusform>
            <numerusform>%1 andere Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Go to the m&amp;essage</source>
        <translation>Zur Me&amp;ldung</translation>
    </message>
    <message>
        <source>Ctrl+Shift+M</source>
        <translation>Ctrl+Shift+M</translation>
    </message>
    <message>
        <source>There is no message</source>
        <translation>Es gibt keine Meldung</translation>
    </message>
    <message>
        <source>Points while moving</source>
        <translation>Punkte während der Bewegung</translation>
    </message>
    <message>
        <source>&amp;Automatic</source>
        <translation>&amp;Automatisch</translation>
    </message>
    <message>
        <source>The number that can be drawn quickly enough for a smooth motion</source>
        <translation>Die Anzahl, die sich für eine flüssige Bewegung schnell genug zeichnen lässt</translation>
    </message>
    <message>
        <source>Each frame draws this number of points while the view moves, however long that takes</source>
        <translation>Jedes Bild zeichnet diese Anzahl von Punkten, während sich die Ansicht bewegt, wie lange es auch dauert</translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>&amp;Immer</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>&amp;Nie</translation>
    </message>
    <message>
        <source>Animations show one still picture per second</source>
        <translation>Was abgespielt wird, zeigt ein stehendes Bild je Sekunde</translation>
    </message>
    <message>
        <source>Noise at %1 %: below 100 % it is smaller, fainter and behind all clusters; 0 % hides it</source>
        <translation>Rauschen mit %1 %: Unter 100 % ist es kleiner, blasser und hinter allen Clustern; 0 % blendet es aus</translation>
    </message>
    <message>
        <source>This applies only where colours show clusters or roles</source>
        <translation>Rauschen tritt zurück, wo Farben Cluster oder Rollen zeigen</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Strength of noise</source>
        <translation>Stärke des Rauschens</translation>
    </message>
    <message>
        <source>All rows of a file are being clustered; the window closes when they are done. Closing it now cancels the run.</source>
        <translation>Alle Zeilen einer Datei werden geclustert; das Fenster schließt sich, wenn sie fertig sind. Wer es jetzt schließt, gibt sie auf.</translation>
    </message>
</context>
<context>
    <name>clusterloom::MapPage</name>
    <message>
        <source>Clusters, noise or largest cluster over ε and minPts; arrow keys and Return, or a click, set both</source>
        <translation>Cluster, Rauschen oder größter Cluster über ε und minPts; Pfeiltasten und Eingabetaste oder ein Klick setzen beide</translation>
    </message>
    <message>
        <source>What the map shows</source>
        <translation>Was die Karte zeigt</translation>
    </message>
    <message>
        <source>clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>largest cluster</source>
        <translation>größter Cluster</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>ε × minPts</source>
        <translation>ε × minPts</translation>
    </message>
    <message>
        <source>The map</source>
        <translation>Die Karte</translation>
    </message>
</context>
<context>
    <name>clusterloom::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Hide this message (Esc)</source>
        <translation>Diese Meldung ausblenden (Esc)</translation>
    </message>
    <message>
        <source>Hide message</source>
        <translation>Meldung ausblenden</translation>
    </message>
</context>
<context>
    <name>clusterloom::Notebook</name>
    <message>
        <source>The computations of the lesson by the Python module clusterloom. Each number stands beside that of the lesson; a cell fails where they differ.</source>
        <translation>Die Berechnungen der Lektion mit dem Python-Modul clusterloom. Jede Zahl steht neben der der Lektion; eine Zelle schlägt fehl, wo sie sich unterscheiden.</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>The module does not divide joins between CPU and GPU by a model: the cell computes the load of the GPU alone.</source>
        <translation>Das Modul teilt Joins nicht nach einem Modell zwischen CPU und GPU auf: Die Zelle berechnet die Last der GPU allein.</translation>
    </message>
</context>
<context>
    <name>clusterloom::OpenClouds</name>
    <message>
        <source>%1 (generated)</source>
        <translation>%1 (erzeugt)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>clusterloom::OpenedLabels</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
</context>
<context>
    <name>clusterloom::PaperStrategy</name>
    <message>
        <source>One thread per query point, all adjacent cells, input order: the baseline.</source>
        <translation>Ein Thread je Abfragepunkt, alle angrenzenden Zellen, Reihenfolge der Eingabe: die Vergleichsbasis.</translation>
    </message>
    <message>
        <source>Each pair of cells is compared once, by parity.</source>
        <translation>Jedes Paar von Zellen wird einmal verglichen, nach Parität.</translation>
    </message>
    <message>
        <source>Each pair of cells is compared once, by linear id.</source>
        <translation>Jedes Paar von Zellen wird einmal verglichen, nach der linearen Nummer.</translation>
    </message>
    <message>
        <source>Query points of each batch sorted by workload, largest first.</source>
        <translation>Abfragepunkte jedes Batches nach Arbeitslast sortiert, die größten zuerst.</translation>
    </message>
    <message>
        <source>All query points sorted by workload and drawn from a queue.</source>
        <translation>Alle Abfragepunkte nach Arbeitslast sortiert und aus einer Warteschlange gezogen.</translation>
    </message>
    <message>
        <source>Eight threads per query point, all adjacent cells, input order.</source>
        <translation>Acht Threads je Abfragepunkt, alle angrenzenden Zellen, Reihenfolge der Eingabe.</translation>
    </message>
    <message>
        <source>The queue and half of the comparisons.</source>
        <translation>Die Warteschlange und die Hälfte der Vergleiche.</translation>
    </message>
    <message>
        <source>The queue and eight threads per query point.</source>
        <translation>Die Warteschlange und acht Threads je Abfragepunkt.</translation>
    </message>
    <message>
        <source>The queue, half of the comparisons and eight threads per query point.</source>
        <translation>Die Warteschlange, die Hälfte der Vergleiche und acht Threads je Abfragepunkt.</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Query points of a cell share the rows of cells they read (not from the papers).</source>
        <translation>Abfragepunkte einer Zelle teilen sich die Zeilen von Zellen, die sie lesen (nicht aus den Arbeiten).</translation>
    </message>
    <message>
        <source>R-tree</source>
        <translation>R-Baum</translation>
    </message>
    <message>
        <source>Every query point searches the box of side 2ε around it in a tree; on the CPU.</source>
        <translation>Jeder Abfragepunkt durchsucht den Quader der Seite 2ε um sich in einem Baum; auf der CPU.</translation>
    </message>
    <message>
        <source>Super-EGO</source>
        <translation>Super-EGO</translation>
    </message>
    <message>
        <source>The points are sorted by cells and halved into sequences, which are joined with each other; on the CPU.</source>
        <translation>Die Punkte werden nach Zellen sortiert und in Sequenzen halbiert, die miteinander verbunden werden; auf der CPU.</translation>
    </message>
    <message>
        <source>New-Super-EGO</source>
        <translation>New-Super-EGO</translation>
    </message>
    <message>
        <source>Every query point is joined with the sequences of Super-EGO; on the CPU.</source>
        <translation>Jeder Abfragepunkt wird mit den Sequenzen von Super-EGO verbunden; auf der CPU.</translation>
    </message>
    <message>
        <source>The same in the order of workload: query points with the most candidates first; on the CPU.</source>
        <translation>Dasselbe nach Arbeitslast: zuerst die Abfragepunkte mit den meisten Kandidaten; auf der CPU.</translation>
    </message>
    <message>
        <source>CPU and GPU take batches from both ends of one queue until they meet.</source>
        <translation>CPU und GPU nehmen Batches von beiden Enden einer Warteschlange, bis sie sich treffen.</translation>
    </message>
    <message>
        <source>The GPU is given a fixed share of the queries beforehand.</source>
        <translation>Die GPU bekommt vorab einen festen Anteil der Abfragen.</translation>
    </message>
    <message>
        <source>The GPU is given a fixed share of the candidates beforehand.</source>
        <translation>Die GPU bekommt vorab einen festen Anteil der Kandidaten.</translation>
    </message>
    <message>
        <source>adaptive</source>
        <translation>adaptiv</translation>
    </message>
    <message>
        <source>One queue, and batches that become smaller so that both processors end together (not from the papers).</source>
        <translation>Eine Warteschlange und Batches, die kleiner werden, sodass beide Prozessoren gleichzeitig enden (nicht aus den Arbeiten).</translation>
    </message>
</context>
<context>
    <name>clusterloom::ParametersPanel</name>
    <message>
        <source>%1 T</source>
        <translation>%1 Bio.</translation>
    </message>
    <message>
        <source>%1 G</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>The knee of the k-distances, the first of the charts, is a starting value for ε</source>
        <translation>Der Knick der k-Distanzen, des ersten der Diagramme, ist ein Startwert für ε</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>Use the suggested ε</source>
        <translation>Das vorgeschlagene ε übernehmen</translation>
    </message>
    <message>
        <source>Stable</source>
        <translation>Stabil</translation>
    </message>
    <message>
        <source>Values of ε in the middle of the widest ranges in which the number of clusters stays the same</source>
        <translation>Werte von ε in der Mitte der breitesten Bereiche, in denen die Zahl der Cluster gleich bleibt</translation>
    </message>
    <message>
        <source>Stable values of ε</source>
        <translation>Stabile Werte von ε</translation>
    </message>
    <message>
        <source>minPts</source>
        <translation>minPts</translation>
    </message>
    <message>
        <source>A point is core when at least this many points, itself included, lie within ε</source>
        <translation>Ein Punkt ist Kernpunkt, wenn mindestens so viele Punkte, er selbst eingeschlossen, innerhalb von ε liegen</translation>
    </message>
    <message>
        <source>&amp;minPts</source>
        <translation>&amp;minPts</translation>
    </message>
    <message>
        <source>Indexed dimensions k</source>
        <translation>Indizierte Dimensionen k</translation>
    </message>
    <message>
        <source>How many dimensions the grid indexes, with the operations each is predicted to need. k changes the time, not the result.</source>
        <translation>Wie viele Dimensionen das Gitter indiziert, mit den Operationen, die jede Zahl voraussichtlich braucht. k ändert die Zeit, nicht das Ergebnis.</translation>
    </message>
    <message>
        <source>Run automatically</source>
        <translation>Automatisch ausführen</translation>
    </message>
    <message>
        <source>Run whenever a parameter changes; otherwise Run applies the changes</source>
        <translation>Ausführen, sobald sich ein Parameter ändert; sonst wendet „Ausführen“ die Änderungen an</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run with these parameters (F5)</source>
        <translation>Mit diesen Parametern ausführen (F5)</translation>
    </message>
    <message>
        <source>Prepare every ε</source>
        <translation>Jedes ε vorbereiten</translation>
    </message>
    <message>
        <source>Compute the clusters of every ε once, in the background. The slider then shows exact clusters while it moves.</source>
        <translation>Die Cluster für jedes ε einmal im Hintergrund berechnen. Der Schieberegler zeigt dann exakte Cluster, während er sich bewegt.</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereiten</translation>
    </message>
    <message>
        <source>Prepare every ε now</source>
        <translation>Jetzt jedes ε vorbereiten</translation>
    </message>
    <message>
        <source>preparing …</source>
        <translation>wird vorbereitet …</translation>
    </message>
    <message>
        <source>exact at every ε</source>
        <translation>exakt bei jedem ε</translation>
    </message>
    <message>
        <source>The clusters of every ε are ready for this minPts (%1)</source>
        <translation>Die Cluster für jedes ε sind für dieses minPts bereit (%1)</translation>
    </message>
    <message>
        <source>%1, about %2</source>
        <translation>%1, etwa %2</translation>
    </message>
    <message>
        <source>too large for the memory</source>
        <translation>zu groß für den Speicher</translation>
    </message>
    <message>
        <source>Preparing every ε needs %1 of memory, and %2 are free. It was not started</source>
        <translation>Jedes ε vorzubereiten braucht %1 Speicher, und %2 sind frei. Es wurde nicht begonnen</translation>
    </message>
    <message>
        <source>Preparing every ε needs %1 of memory and takes about %2; it starts when you ask for it</source>
        <translation>Jedes ε vorzubereiten braucht %1 Speicher und dauert etwa %2; es beginnt auf Wunsch</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>minPts ≤ %1 only</source>
        <translation>nur minPts ≤ %1</translation>
    </message>
    <message>
        <source>There is no ε with two or more clusters</source>
        <translation>Es gibt kein ε mit zwei oder mehr Clustern</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>%1 · %2 ops</source>
        <translation>%1 · %2 Op.</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>auto (%1)</translation>
    </message>
    <message>
        <source>ε is at the knee</source>
        <translation>ε ist am Knick</translation>
    </message>
    <message>
        <source>knee at %1</source>
        <translation>Knick %1</translation>
    </message>
    <message>
        <source>not for these distances</source>
        <translation>nicht für diese Distanzen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>A column whose values are the weights of the points: a point is then core when the
weights of all points within ε, its own included, sum to at least minPts</source>
        <translation>Eine Spalte, deren Werte die Gewichte der Punkte sind: Ein Punkt ist dann Kernpunkt, wenn
die Gewichte aller Punkte innerhalb von ε, sein eigenes eingeschlossen, zusammen mindestens
minPts ergeben</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>G&amp;ewichte</translation>
    </message>
    <message>
        <source>without weights only</source>
        <translation>nur ohne Gewichte</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>minPts is a sum of weights; a weight is %1 on average. Every ε and k-distances are not shown.</source>
        <translation>minPts ist eine Summe von Gewichten; ein Gewicht ist im Mittel %1. Jedes ε und k-Distanzen werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>A point is core when the weights of all points within ε, its own included, sum to at least this number</source>
        <translation>Ein Punkt ist Kernpunkt, wenn die Gewichte aller Punkte innerhalb von ε, sein eigenes eingeschlossen, zusammen mindestens diese Zahl ergeben</translation>
    </message>
    <message>
        <source>&amp;Indexed dims (k)</source>
        <translation>Indi&amp;zierte Dim. (k)</translation>
    </message>
    <message>
        <source>There is no column of numbers beside the coordinates</source>
        <translation>Neben den Koordinaten gibt es keine Spalte mit Zahlen</translation>
    </message>
    <message>
        <source>Use the suggested ε, %1</source>
        <translation>Das vorgeschlagene ε verwenden, %1</translation>
    </message>
</context>
<context>
    <name>clusterloom::PictureDialog</name>
    <message>
        <source>Picture of the view</source>
        <translation>Bild der Ansicht</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
</context>
<context>
    <name>clusterloom::PictureFields</name>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>&amp;Transparent background</source>
        <translation>&amp;Transparenter Hintergrund</translation>
    </message>
    <message>
        <source>Only points, axes and text, for a page or a slide</source>
        <translation>Nur Punkte, Achsen und Text, für eine Seite oder Folie</translation>
    </message>
    <message>
        <source>Wi&amp;dth</source>
        <translation>B&amp;reite</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Höhe</translation>
    </message>
    <message>
        <source>Points, text and lines grow with the picture.</source>
        <translation>Punkte, Text und Linien wachsen mit dem Bild.</translation>
    </message>
    <message>
        <source>At most %1 million pixels.</source>
        <translation>Höchstens %1 Millionen Pixel.</translation>
    </message>
</context>
<context>
    <name>clusterloom::PlanPage</name>
    <message>
        <source>Ranks share no joins in more than %1 dimensions; Forecast tells what one takes here</source>
        <translation>Ranks teilen sich keine Joins in mehr als %1 Dimensionen; „Prognose“ sagt, was einer hier braucht</translation>
    </message>
    <message>
        <source>Press Forecast: what a join takes on up to 1,024 ranks appears here</source>
        <translation>„Prognose“ drücken: Hier erscheint, wie lange ein Join auf bis zu 1.024 Ranks dauert</translation>
    </message>
    <message>
        <source>Seconds of a join over the number of ranks</source>
        <translation>Sekunden eines Joins über die Zahl der Ranks</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source> Gbit/s</source>
        <translation> Gbit/s</translation>
    </message>
    <message>
        <source>Network of a rank</source>
        <translation>Netzwerk eines Ranks</translation>
    </message>
    <message>
        <source>What a rank sends and receives in a second</source>
        <translation>Was ein Rank in einer Sekunde sendet und empfängt</translation>
    </message>
    <message>
        <source>What the plan describes</source>
        <translation>Wofür der Plan gilt</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Plan of a join</source>
        <translation>Plan eines Joins</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Prognose</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>wird gemessen …</translation>
    </message>
    <message>
        <source>self-join at ε %1 with %2 Gbit/s; one rank takes %3 here, by %4</source>
        <translation>Self-Join bei ε %1 mit %2 Gbit/s; ein Rank braucht hier %3, mit %4</translation>
    </message>
</context>
<context>
    <name>clusterloom::PreviewClustering</name>
    <message>
        <source>Approximate: %1 of %2 points, clustered with ε %3 and minPts %4 instead</source>
        <translation>Näherung: %1 von %2 Punkten, stattdessen mit ε %3 und minPts %4 geclustert</translation>
    </message>
</context>
<context>
    <name>clusterloom::ProcessorsPage</name>
    <message>
        <source>Batches of GPU streams and CPU threads over time; arrow keys pick</source>
        <translation>Batches von GPU-Streams und CPU-Threads über die Zeit; Pfeiltasten wählen</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>Was gezeigt wird</translation>
    </message>
    <message>
        <source>The displayed run, if CPU and GPU shared it, or a model: all divisions below each other, or one of them</source>
        <translation>Der gezeigte Lauf, wenn CPU und GPU ihn geteilt haben, oder ein Modell: alle Aufteilungen untereinander oder eine davon</translation>
    </message>
    <message>
        <source>all divisions</source>
        <translation>alle Aufteilungen</translation>
    </message>
    <message>
        <source>HEGJoin-Dyn, -SQ, -SC and adaptive below each other on one time axis</source>
        <translation>HEGJoin-Dyn, -SQ, -SC und adaptiv untereinander auf einer Zeitachse</translation>
    </message>
    <message>
        <source>Speeds</source>
        <translation>Geschwindigkeiten</translation>
    </message>
    <message>
        <source>Speeds of both processors</source>
        <translation>Geschwindigkeiten beider Prozessoren</translation>
    </message>
    <message>
        <source>Shows the assumed speed of each processor, and changes it</source>
        <translation>Zeigt die angenommene Geschwindigkeit jedes Prozessors und ändert sie</translation>
    </message>
    <message>
        <source>Summary of the divisions</source>
        <translation>Zusammenfassung der Aufteilungen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>free</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Cost of a query without its candidates, as a rate in millions of queries per second. 0: no cost</source>
        <translation>Zeit, die eine Abfrage zusätzlich zu ihren Kandidaten braucht, in Millionen Abfragen je Sekunde. 0: keine</translation>
    </message>
    <message>
        <source>GPU streams</source>
        <translation>GPU-Streams</translation>
    </message>
    <message>
        <source>Streams of the GPU</source>
        <translation>Streams der GPU</translation>
    </message>
    <message>
        <source>GPU: candidates per second</source>
        <translation>GPU: Kandidaten je Sekunde</translation>
    </message>
    <message>
        <source>Millions of candidates per second, all streams together</source>
        <translation>Millionen Kandidaten je Sekunde, alle Streams zusammen</translation>
    </message>
    <message>
        <source>GPU: queries per second</source>
        <translation>GPU: Abfragen je Sekunde</translation>
    </message>
    <message>
        <source>Modelled CPU threads</source>
        <translation>Modellierte CPU-Threads</translation>
    </message>
    <message>
        <source>Threads of the CPU in the model</source>
        <translation>Threads der CPU im Modell</translation>
    </message>
    <message>
        <source>CPU thread: candidates per second</source>
        <translation>CPU-Thread: Kandidaten je Sekunde</translation>
    </message>
    <message>
        <source>Millions of candidates per second of one thread</source>
        <translation>Millionen Kandidaten je Sekunde eines Threads</translation>
    </message>
    <message>
        <source>CPU thread: queries per second</source>
        <translation>CPU-Thread: Abfragen je Sekunde</translation>
    </message>
    <message>
        <source>Use measured</source>
        <translation>Messung übernehmen</translation>
    </message>
    <message>
        <source>The CPU&apos;s speed as timed here, and the GPU&apos;s where there is one</source>
        <translation>Die Geschwindigkeit der CPU, wie sie hier gemessen ist, und die der GPU, wo es eine gibt</translation>
    </message>
    <message>
        <source>M candidates/s</source>
        <translation>Mio. Kandidaten/s</translation>
    </message>
    <message>
        <source>M queries/s</source>
        <translation>Mio. Abfragen/s</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU-Threads</translation>
    </message>
    <message>
        <source>each M candidates/s</source>
        <translation>je Mio. Kandidaten/s</translation>
    </message>
    <message>
        <source>each M queries/s</source>
        <translation>je Mio. Abfragen/s</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>dieser Lauf</translation>
    </message>
    <message>
        <source>%1 candidates/s</source>
        <translation>%1 Kandidaten/s</translation>
    </message>
    <message>
        <source>%1 queries/s</source>
        <translation>%1 Abfragen/s</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>CPU %1 × %2</source>
        <translation>CPU %1 × %2</translation>
    </message>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1, %2</translation>
    </message>
    <message>
        <source>GPU %1, %2, as measured</source>
        <translation>GPU %1, %2, wie gemessen</translation>
    </message>
    <message>
        <source>%1, as measured; no GPU: its speed is assumed to equal %2 such threads</source>
        <translation>%1, wie gemessen; keine GPU: angenommen so schnell wie %2 solche Threads</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Stop timing the queries</source>
        <translation>Messen der Abfragen abbrechen</translation>
    </message>
    <message>
        <source>Time the queries for the current parameters</source>
        <translation>Die Abfragen für die aktuellen Parameter messen</translation>
    </message>
    <message>
        <source>for other parameters</source>
        <translation>für andere Parameter</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Timing the queries…</source>
        <translation>Abfragen werden gemessen…</translation>
    </message>
    <message>
        <source>How CPU and GPU share the queries of a join appears here</source>
        <translation>Hier erscheint, wie CPU und GPU die Abfragen eines Joins teilen</translation>
    </message>
</context>
<context>
    <name>clusterloom::RanksPage</name>
    <message>
        <source>Phases of each rank over time; arrow keys pick a rank</source>
        <translation>Phasen jedes Ranks über die Zeit; Pfeiltasten wählen einen Rank</translation>
    </message>
    <message>
        <source>Choose several ranks or GPUs in the engine panel: what each of them does appears here</source>
        <translation>Im Engine-Bereich mehrere Ranks oder GPUs wählen: Hier erscheint, was jeder davon tut</translation>
    </message>
    <message>
        <source>Points of a rank</source>
        <translation>Punkte eines Ranks</translation>
    </message>
</context>
<context>
    <name>clusterloom::ReachabilityPage</name>
    <message>
        <source>Mutual reachability of the points in the order of the tree of clusters; the line is ε and can be dragged</source>
        <translation>Gegenseitige Erreichbarkeit der Punkte in der Reihenfolge des Clusterbaums; die Linie ist ε und kann gezogen werden</translation>
    </message>
    <message>
        <source>The reachability plot</source>
        <translation>Der Erreichbarkeitsplot</translation>
    </message>
</context>
<context>
    <name>clusterloom::ReadingView</name>
    <message>
        <source>Points read so far</source>
        <translation>Bisher gelesene Punkte</translation>
    </message>
    <message>
        <source>%1 of %2 points shown</source>
        <translation>%1 von %2 Punkten gezeigt</translation>
    </message>
    <message>
        <source>Clusters are computed when all points have been read.</source>
        <translation>Cluster werden berechnet, wenn alle Punkte gelesen sind.</translation>
    </message>
    <message>
        <source>The picture of all points is being prepared.</source>
        <translation>Das Bild aller Punkte wird vorbereitet.</translation>
    </message>
</context>
<context>
    <name>clusterloom::ReplayRow</name>
    <message>
        <source>Back to the previous change</source>
        <translation>Zurück zur vorigen Änderung</translation>
    </message>
    <message>
        <source>Play how the clusters grow</source>
        <translation>Abspielen, wie die Cluster wachsen</translation>
    </message>
    <message>
        <source>To the next merge or birth of a cluster</source>
        <translation>Zur nächsten Vereinigung oder Entstehung eines Clusters</translation>
    </message>
    <message>
        <source>How long playing takes</source>
        <translation>Wie lange das Abspielen dauert</translation>
    </message>
    <message>
        <source>How long playing over every ε takes</source>
        <translation>Wie lange das Abspielen über jedes ε dauert</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Save frames…</source>
        <translation>Bilder speichern…</translation>
    </message>
    <message>
        <source>Saves the growth of the clusters as a series of pictures</source>
        <translation>Speichert das Wachstum der Cluster als Folge von Bildern</translation>
    </message>
    <message>
        <source>What the curve says of ε</source>
        <translation>Was die Kurve über ε sagt</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
</context>
<context>
    <name>clusterloom::ResultWords</name>
    <message>
        <source>clusters of HDBSCAN* with at least %1 points</source>
        <translation>Cluster von HDBSCAN* mit mindestens %1 Punkten</translation>
    </message>
    <message>
        <source>labels of %1</source>
        <translation>Labels von %1</translation>
    </message>
    <message>
        <source>reading: %1 of about %2 points shown</source>
        <translation>Lesen: %1 von etwa %2 Punkten gezeigt</translation>
    </message>
    <message numerus="yes">
        <source>%1 points kept</source>
        <translation>
            <numerusform>1 Punkt behalten</numerusform>
            <numerusform>%1 Punkte behalten</numerusform>
        </translation>
    </message>
    <message>
        <source>A join at ε %1
Time of counting: %2 ± %3
Pairs: %4
Memory: %5</source>
        <translation>Ein Join bei ε %1
Zeit des Zählens: %2 ± %3
Paare: %4
Speicher: %5</translation>
    </message>
    <message>
        <source>at most about %1</source>
        <translation>höchstens etwa %1</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>all points</source>
        <translation>alle Punkte</translation>
    </message>
    <message>
        <source>nothing clustered on its own</source>
        <translation>nichts für sich geclustert</translation>
    </message>
    <message>
        <source>other points clustered on their own</source>
        <translation>andere Punkte für sich geclustert</translation>
    </message>
    <message>
        <source>another scaling</source>
        <translation>eine andere Skalierung</translation>
    </message>
    <message>
        <source>another strategy</source>
        <translation>eine andere Strategie</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 of %2 kept</source>
        <translation>%2, davon %1 behalten</translation>
    </message>
    <message>
        <source>%1 clustered on their own with ε %2, minPts %3</source>
        <translation>%1 für sich geclustert mit ε %2, minPts %3</translation>
    </message>
    <message>
        <source>; </source>
        <translation>; </translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>the run failed</source>
        <translation>der Lauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht ausgeführt</translation>
    </message>
    <message>
        <source>no ε yet</source>
        <translation>noch kein ε</translation>
    </message>
    <message>
        <source>%1; showing the %2</source>
        <translation>%1; gezeigt: %2</translation>
    </message>
    <message>
        <source>%1; no result</source>
        <translation>%1; kein Ergebnis</translation>
    </message>
    <message>
        <source>%1; showing the result of %2</source>
        <translation>%1; gezeigt ist das Ergebnis von %2</translation>
    </message>
    <message>
        <source>This writes the %1.</source>
        <translation>Geschrieben wird: %1.</translation>
    </message>
    <message>
        <source>This holds the parameters. The displayed %1 may belong to others.</source>
        <translation>Gespeichert sind die Parameter. Die gezeigten %1 können zu anderen gehören.</translation>
    </message>
    <message>
        <source>This writes the displayed result (%1). The parameters are now %2.</source>
        <translation>Geschrieben wird das gezeigte Ergebnis (%1). Die Parameter sind jetzt %2.</translation>
    </message>
    <message>
        <source>This holds the current parameters (%1). The displayed result belongs to %2.</source>
        <translation>Gespeichert sind die jetzigen Parameter (%1). Das gezeigte Ergebnis gehört zu %2.</translation>
    </message>
    <message>
        <source>great-circle distances</source>
        <translation>Großkreisdistanzen</translation>
    </message>
    <message>
        <source>a periodic box</source>
        <translation>ein periodischer Kasten</translation>
    </message>
    <message>
        <source>cosine distances</source>
        <translation>Kosinusdistanzen</translation>
    </message>
    <message>
        <source>Manhattan distances</source>
        <translation>Manhattan-Distanzen</translation>
    </message>
    <message>
        <source>Chebyshev distances</source>
        <translation>Tschebyschow-Distanzen</translation>
    </message>
    <message>
        <source>Euclidean distances</source>
        <translation>euklidische Distanzen</translation>
    </message>
    <message>
        <source>no weights</source>
        <translation>keine Gewichte</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>only open rows</source>
        <translation>nur geöffnete Zeilen</translation>
    </message>
    <message>
        <source>all rows of the file</source>
        <translation>alle Zeilen der Datei</translation>
    </message>
    <message numerus="yes">
        <source>%1 rows of the file kept</source>
        <translation>
            <numerusform>1 Zeile der Datei behalten</numerusform>
            <numerusform>%1 Zeilen der Datei behalten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>clusterloom::RunsModel</name>
    <message>
        <source>of %1 kept</source>
        <translation>behalten; insgesamt %1</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>nicht gezählt</translation>
    </message>
    <message>
        <source>%1, 1 thread</source>
        <translation>%1, 1 Thread</translation>
    </message>
    <message>
        <source>%1, %2 threads</source>
        <translation>%1, %2 Threads</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>minPts</source>
        <translation>minPts</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distanzen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
</context>
<context>
    <name>clusterloom::RunsPage</name>
    <message>
        <source>Runs of this session</source>
        <translation>Läufe dieser Sitzung</translation>
    </message>
    <message>
        <source>Double-click or press Return to use a run&apos;s parameters again</source>
        <translation>Doppelklick oder Eingabetaste verwendet die Parameter eines Laufs wieder</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>use a run again</source>
        <translation>Lauf wieder verwenden</translation>
    </message>
</context>
<context>
    <name>clusterloom::SelectedPoints</name>
    <message>
        <source>Selecting points</source>
        <translation>Punkte werden ausgewählt</translation>
    </message>
    <message>
        <source>Taking points</source>
        <translation>Punkte werden übernommen</translation>
    </message>
    <message>
        <source>No points would remain. Select fewer points to remove.</source>
        <translation>Es blieben keine Punkte übrig. Weniger Punkte zum Entfernen auswählen.</translation>
    </message>
    <message>
        <source>Keep only %1</source>
        <translation>Nur %1 behalten</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Restore all points</source>
        <translation>Alle Punkte wiederherstellen</translation>
    </message>
    <message>
        <source>Clustering the selection</source>
        <translation>Auswahl wird geclustert</translation>
    </message>
    <message>
        <source>Selecting among all rows of %1</source>
        <translation>Unter allen Zeilen von %1 wird ausgewählt</translation>
    </message>
    <message>
        <source>Measuring the selected rows of %1</source>
        <translation>Die ausgewählten Zeilen von %1 werden ausgemessen</translation>
    </message>
    <message>
        <source>None of the open rows would remain, and only these are clustered. Keep more rows.</source>
        <translation>Keine der geöffneten Zeilen bliebe übrig, und nur diese werden geclustert. Behalten Sie mehr Zeilen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::SelectionPanel</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Number of the picked point</source>
        <translation>Nummer des gewählten Punkts</translation>
    </message>
    <message>
        <source>Pick a point in the view, or type its number (its row, from 0)</source>
        <translation>Einen Punkt in der Ansicht wählen oder seine Nummer angeben (seine Zeile, ab 0)</translation>
    </message>
    <message>
        <source>&amp;Point</source>
        <translation>P&amp;unkt</translation>
    </message>
    <message>
        <source>The selected points</source>
        <translation>Die ausgewählten Punkte</translation>
    </message>
    <message>
        <source>The picked point</source>
        <translation>Der gewählte Punkt</translation>
    </message>
    <message>
        <source>The picked cell</source>
        <translation>Die gewählte Zelle</translation>
    </message>
    <message>
        <source>The picked warp</source>
        <translation>Der gewählte Warp</translation>
    </message>
    <message>
        <source>Click a point in the view, or Shift+drag a rectangle.</source>
        <translation>In der Ansicht auf einen Punkt klicken oder mit Umschalt ein Rechteck ziehen.</translation>
    </message>
    <message>
        <source>  (scaled %1)</source>
        <translation>  (skaliert %1)</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>%1 within ε, itself included</source>
        <translation>%1 innerhalb von ε, er selbst eingeschlossen</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 more dimensions</source>
        <translation>%1 weitere Dimensionen</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>Zelle</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>%1 per point</source>
        <translation>%1 je Punkt</translation>
    </message>
    <message>
        <source>adjacent cells</source>
        <translation>angrenzende Zellen</translation>
    </message>
    <message>
        <source>%1, itself included</source>
        <translation>%1, sie selbst eingeschlossen</translation>
    </message>
    <message>
        <source>warp</source>
        <translation>Warp</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1 on multiprocessor %2, %3 cycles</source>
        <translation>%1 auf Multiprozessor %2, %3 Takte</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>not in it</source>
        <translation>nicht darin</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>query points</source>
        <translation>Abfragepunkte</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>beschäftigt</translation>
    </message>
    <message>
        <source>search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>hit</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>Schritte: %1</translation>
    </message>
    <message>
        <source>%1, %2 busy</source>
        <translation>%1, %2 beschäftigt</translation>
    </message>
    <message>
        <source>candidates of a lane</source>
        <translation>Kandidaten einer Lane</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>Zellen</translation>
    </message>
    <message>
        <source>%1 of its query points, %2 compared with</source>
        <translation>%1 seiner Abfragepunkte, mit %2 verglichen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>their weights</source>
        <translation>deren Gewichte</translation>
    </message>
    <message>
        <source>none</source>
        <comment>point</comment>
        <translation>keiner</translation>
    </message>
    <message>
        <source>row of the file</source>
        <translation>Zeile der Datei</translation>
    </message>
    <message>
        <source>in the file</source>
        <translation>in der Datei</translation>
    </message>
    <message>
        <source>%1 of %2 with finite coordinates</source>
        <translation>%1 von %2 mit endlichen Koordinaten</translation>
    </message>
    <message>
        <source>only open rows are selected</source>
        <translation>nur geöffnete Zeilen sind ausgewählt</translation>
    </message>
    <message>
        <source>only open rows: the others have no clusters yet (File ▸ Cluster the whole file…)</source>
        <translation>nur geöffnete Zeilen: Die anderen haben noch keine Cluster (Datei ▸ Die ganze Datei clustern…)</translation>
    </message>
</context>
<context>
    <name>clusterloom::Session</name>
    <message>
        <source>ε %1</source>
        <translation>ε %1</translation>
    </message>
    <message>
        <source>minPts must be at least 1.</source>
        <translation>minPts muss mindestens 1 sein.</translation>
    </message>
    <message>
        <source>minPts %1</source>
        <translation>minPts %1</translation>
    </message>
    <message>
        <source>Indexed dimensions automatic</source>
        <translation>Indizierte Dimensionen automatisch</translation>
    </message>
    <message>
        <source>%1 indexed dimensions</source>
        <translation>%1 indizierte Dimensionen</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>There are %1 factors for %2 dimensions.</source>
        <translation>Es gibt %1 Faktoren für %2 Dimensionen.</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Cluster the selection on its own</source>
        <translation>Auswahl für sich clustern</translation>
    </message>
    <message>
        <source>Cluster all points alike</source>
        <translation>Alle Punkte gleich clustern</translation>
    </message>
    <message>
        <source>Columns that are not read, and that exports lack: %1</source>
        <translation>Spalten, die nicht gelesen werden und in Exporten fehlen: %1</translation>
    </message>
    <message>
        <source>Skipped %1 with coordinates that are not finite; the first is data row %2 (counting from 0).</source>
        <translation>%1 mit nicht endlichen Koordinaten übersprungen; die erste ist Datenzeile %2 (ab 0 gezählt).</translation>
    </message>
    <message>
        <source>Distances</source>
        <translation>Distanzen</translation>
    </message>
    <message>
        <source>ε of each dimension</source>
        <translation>ε jeder Dimension</translation>
    </message>
    <message>
        <source>No weights</source>
        <translation>Keine Gewichte</translation>
    </message>
    <message>
        <source>Weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
</context>
<context>
    <name>clusterloom::SessionData</name>
    <message>
        <source>The session names point %1, but the data has only %2 points now.</source>
        <translation>Die Sitzung nennt Punkt %1, aber die Daten haben jetzt nur %2 Punkte.</translation>
    </message>
    <message>
        <source>%1 has changed since the session was saved; the clusters may differ.</source>
        <translation>%1 hat sich geändert, seit die Sitzung gespeichert wurde; die Cluster können abweichen.</translation>
    </message>
    <message>
        <source>%1 (generated)</source>
        <translation>%1 (erzeugt)</translation>
    </message>
    <message>
        <source>Generating %1 points</source>
        <translation>%1 Punkte werden erzeugt</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Taking points</source>
        <translation>Punkte werden übernommen</translation>
    </message>
    <message>
        <source>Searching for a suitable ε</source>
        <translation>Passendes ε wird gesucht</translation>
    </message>
    <message>
        <source>The session names no data.</source>
        <translation>Die Sitzung nennt keine Daten.</translation>
    </message>
    <message>
        <source>The session also names clouds whose files are gone: %1. The others were opened.</source>
        <translation>Die Sitzung nennt auch Punktwolken, deren Dateien fehlen: %1. Die anderen wurden geöffnet.</translation>
    </message>
    <message>
        <source>%1 has %2, but the open clouds have %3. Only clouds with the same number of dimensions can be compared.</source>
        <translation>%1 hat %2, aber die geöffneten Punktwolken haben %3. Nur Punktwolken mit gleich vielen Dimensionen können verglichen werden.</translation>
    </message>
    <message>
        <source>Taking weights</source>
        <translation>Gewichte nehmen</translation>
    </message>
    <message>
        <source>%1: not taken as coordinates because of their names or values: %2 (choose others with Columns…)</source>
        <translation>%1: nach Namen und Werten nicht als Koordinaten genommen: %2 (andere mit Spalten… wählen)</translation>
    </message>
    <message>
        <source>%1: the table begins in line %2; the lines before it were skipped (Skip lines under Columns… changes this)</source>
        <translation>%1: Die Tabelle beginnt in Zeile %2; die Zeilen davor wurden übersprungen (Zeilen überspringen unter Spalten… ändert das)</translation>
    </message>
    <message>
        <source>a comma</source>
        <translation>ein Komma</translation>
    </message>
    <message>
        <source>a point</source>
        <translation>ein Punkt</translation>
    </message>
    <message>
        <source>a blank</source>
        <translation>ein Leerzeichen</translation>
    </message>
    <message>
        <source>an apostrophe</source>
        <translation>ein Apostroph</translation>
    </message>
    <message>
        <source>%1: line %2 is taken as names of the columns (Header under Columns… takes it as data)</source>
        <translation>%1: Zeile %2 wird als Namen der Spalten gelesen (Kopfzeile unter Spalten… liest sie als Daten)</translation>
    </message>
    <message>
        <source>%1: line %2 is taken as data (Header under Columns… takes it as names)</source>
        <translation>%1: Zeile %2 wird als Daten gelesen (Kopfzeile unter Spalten… liest sie als Namen)</translation>
    </message>
    <message>
        <source>%1: %2 is taken as the thousands separator: %3 is %4 (Thousands under Columns… changes this)</source>
        <translation>%1: Zwischen Tausendern steht %2: %3 ist %4 (Tausender unter Spalten… liest es anders)</translation>
    </message>
    <message>
        <source>%1: %3 is read as text; if %2 is the thousands separator, choose it at Thousands under Columns…</source>
        <translation>%1: %3 wird als Text gelesen; steht dort zwischen Tausendern %2, ist das bei Tausender unter Spalten… zu wählen</translation>
    </message>
    <message>
        <source>%1: %3 is read as %4; if %2 is the thousands separator, choose it at Thousands under Columns…</source>
        <translation>%1: %3 wird als %4 gelesen; steht dort zwischen Tausendern %2, ist das bei Tausender unter Spalten… zu wählen</translation>
    </message>
    <message>
        <source>%1: the column %2 holds numbers and is read as text, because line %3 holds %4</source>
        <translation>%1: Die Spalte %2 beginnt mit Zahlen und wird als Text gelesen, da Zeile %3 %4 enthält</translation>
    </message>
    <message>
        <source>%1: the coordinate %2 is %3 in all rows (choose others with Columns…)</source>
        <translation>%1: Die Koordinate %2 ist in allen Zeilen %3 (andere mit Spalten… wählen)</translation>
    </message>
    <message>
        <source>%1: the coordinate %2 holds integers of 2⁵³ or more, which are rounded; different ones may have become equal</source>
        <translation>%1: Die Koordinate %2 enthält ganze Zahlen ab 2⁵³, die gerundet werden; verschiedene können gleich geworden sein</translation>
    </message>
</context>
<context>
    <name>clusterloom::SessionFiles</name>
    <message>
        <source>The clusters have changed. Export again.</source>
        <translation>Die Cluster haben sich geändert. Bitte noch einmal exportieren.</translation>
    </message>
    <message>
        <source>column “%1” is written as “%2”</source>
        <translation>Spalte „%1“ wird als „%2“ geschrieben</translation>
    </message>
    <message>
        <source>%1 is open; an input is never overwritten. Choose another name.</source>
        <translation>%1 ist geöffnet; eine Eingabe wird nie überschrieben. Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>There are no clusters to export yet.</source>
        <translation>Es gibt noch keine Cluster zum Exportieren.</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>Writing the picture</source>
        <translation>Bild wird geschrieben</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>This session is not kept for recovery: %1</source>
        <translation>Diese Sitzung wird nicht für die Wiederherstellung aufbewahrt: %1</translation>
    </message>
</context>
<context>
    <name>clusterloom::SessionState</name>
    <message>
        <source>This is not a Clusterloom session: %1.</source>
        <translation>Dies ist keine Clusterloom-Sitzung: %1.</translation>
    </message>
    <message>
        <source>%1 at byte %2</source>
        <translation>%1 bei Byte %2</translation>
    </message>
    <message>
        <source>it lacks the line “what: clusterloom session”</source>
        <translation>die Zeile „what: clusterloom session“ fehlt</translation>
    </message>
    <message>
        <source>The session was written by a newer Clusterloom (format %1; this program knows up to %2). Update the program to open it.</source>
        <translation>Die Sitzung wurde von einem neueren Clusterloom geschrieben (Format %1; dieses Programm kennt bis %2). Das Programm aktualisieren, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>it has no version</source>
        <translation>sie hat keine Version</translation>
    </message>
    <message>
        <source>The session is damaged: %1.</source>
        <translation>Die Sitzung ist beschädigt: %1.</translation>
    </message>
    <message>
        <source>%1: the session would be larger than 64 MiB, because it keeps too many separate points. Export the kept points as a file and open that file instead.</source>
        <translation>%1: Die Sitzung behält so viele einzelne Punkte, dass sie größer als 64 MiB würde. Die behaltenen Punkte als Datei exportieren und stattdessen diese öffnen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::SmallFile</name>
    <message>
        <source>is not a regular file. Choose a session or lesson file.</source>
        <translation>ist keine gewöhnliche Datei. Eine Sitzungs- oder Lektionsdatei wählen.</translation>
    </message>
    <message>
        <source>is larger than 64 MiB, so it is not a session or lesson file.</source>
        <translation>ist größer als 64 MiB und damit keine Sitzungs- oder Lektionsdatei.</translation>
    </message>
</context>
<context>
    <name>clusterloom::StabilityButton</name>
    <message>
        <source>Hide stability</source>
        <translation>Stabilität ausblenden</translation>
    </message>
    <message>
        <source>Hide how stable the clusters of each ε are</source>
        <translation>Ausblenden, wie stabil die Cluster jedes ε sind</translation>
    </message>
    <message>
        <source>Stability</source>
        <translation>Stabilität</translation>
    </message>
    <message>
        <source>Show how stable the clusters of each ε are in 20 random samples of half of the points</source>
        <translation>Zeigen, wie stabil die Cluster jedes ε in 20 zufälligen Stichproben aus der Hälfte der Punkte sind</translation>
    </message>
    <message>
        <source>Stability: about %1</source>
        <translation>Stabilität: etwa %1</translation>
    </message>
    <message>
        <source>Compute how stable the clusters of each ε are</source>
        <translation>Berechnen, wie stabil die Cluster jedes ε sind</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop computing the stability</source>
        <translation>Das Berechnen der Stabilität anhalten</translation>
    </message>
</context>
<context>
    <name>clusterloom::StatusStrip</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Stop (Ctrl+.)</source>
        <translation>Stopp (Strg+.)</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>%1 of %2 kept</source>
        <translation>%2, davon %1 behalten</translation>
    </message>
    <message>
        <source>preview: %1 among %2</source>
        <translation>Vorschau auf %2: %1</translation>
    </message>
    <message>
        <source>%1 noise</source>
        <translation>%1 Rauschen</translation>
    </message>
    <message numerus="yes">
        <source>%1 selections clustered on their own</source>
        <translation>
            <numerusform>1 Auswahl für sich geclustert</numerusform>
            <numerusform>%1 Auswahlen für sich geclustert</numerusform>
        </translation>
    </message>
    <message>
        <source>labels from the clusters of every ε, which were prepared for this minPts</source>
        <translation>Labels aus den Clustern für jedes ε, die für dieses minPts vorbereitet wurden</translation>
    </message>
    <message>
        <source>index %1, join %2, labels %3</source>
        <translation>Index %1, Join %2, Labels %3</translation>
    </message>
    <message>
        <source>%1 cells, k = %2</source>
        <translation>%1 Zellen, k = %2</translation>
    </message>
    <message>
        <source>every ε prepared</source>
        <translation>jedes ε vorbereitet</translation>
    </message>
    <message>
        <source>job %1  ·  %2</source>
        <translation>Auftrag %1  ·  %2</translation>
    </message>
    <message>
        <source>  (+%1)</source>
        <translation>  (+%1)</translation>
    </message>
</context>
<context>
    <name>clusterloom::StrategyPreset</name>
    <message>
        <source>Fastest</source>
        <translation>Schnellste</translation>
    </message>
    <message>
        <source>Tiles, dense cells and early stop; the engine decides the rest.</source>
        <translation>Kacheln, dichte Zellen und früher Abbruch; den Rest entscheidet die Engine.</translation>
    </message>
    <message>
        <source>Plain grid</source>
        <translation>Einfaches Gitter</translation>
    </message>
    <message>
        <source>Every query point is compared with all adjacent cells, in input order: the baseline.</source>
        <translation>Jeder Abfragepunkt wird mit allen angrenzenden Zellen verglichen, in der Reihenfolge der Eingabe: die Vergleichsbasis.</translation>
    </message>
    <message>
        <source>UNICOMP</source>
        <translation>UNICOMP</translation>
    </message>
    <message>
        <source>Each pair of cells is compared once, by parity.</source>
        <translation>Jedes Paar von Zellen wird einmal verglichen, nach Parität.</translation>
    </message>
    <message>
        <source>LID-UNICOMP with work queue</source>
        <translation>LID-UNICOMP mit Warteschlange</translation>
    </message>
    <message>
        <source>Each pair of cells is compared once, by linear id; large workloads first.</source>
        <translation>Jedes Paar von Zellen wird einmal verglichen, nach der linearen Nummer; große Arbeitslasten zuerst.</translation>
    </message>
    <message>
        <source>Many dimensions</source>
        <translation>Viele Dimensionen</translation>
    </message>
    <message>
        <source>REORDER, SORTIDU and SHORTC: for clouds of more dimensions than are indexed.</source>
        <translation>REORDER, SORTIDU und SHORTC: für Punktwolken mit mehr Dimensionen, als indiziert werden.</translation>
    </message>
</context>
<context>
    <name>clusterloom::SweepPage</name>
    <message>
        <source>Clusters, noise and largest cluster against ε</source>
        <translation>Cluster, Rauschen und größter Cluster über ε</translation>
    </message>
    <message>
        <source>At no ε any point is a core point</source>
        <translation>Bei keinem ε ist ein Punkt ein Kernpunkt</translation>
    </message>
    <message>
        <source>ε sweep</source>
        <translation>ε-Durchlauf</translation>
    </message>
    <message>
        <source>Exact numbers of clusters, noise and largest cluster at every ε</source>
        <translation>Exakte Zahlen der Cluster, des Rauschens und des größten Clusters bei jedem ε</translation>
    </message>
    <message>
        <source>Every ε</source>
        <translation>Jedes ε</translation>
    </message>
    <message>
        <source>The ε sweep appears here</source>
        <translation>Hier erscheint der ε-Durchlauf</translation>
    </message>
    <message>
        <source>&amp;Logarithmic number of clusters</source>
        <translation>&amp;Logarithmische Zahl der Cluster</translation>
    </message>
    <message>
        <source>The ε sweep was stopped: choose another chart and this one again to start it</source>
        <translation>Der ε-Durchlauf wurde angehalten: Ein anderes Diagramm und dann wieder dieses wählen, um ihn zu starten</translation>
    </message>
    <message>
        <source>There is no ε sweep, since no ε was suggested</source>
        <translation>Es gibt keinen ε-Durchlauf, da kein ε vorgeschlagen wurde</translation>
    </message>
</context>
<context>
    <name>clusterloom::TaskRow</name>
    <message>
        <source>Your answer</source>
        <translation>Eigene Antwort</translation>
    </message>
    <message>
        <source>your answer</source>
        <translation>Eigene Antwort</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>wählen…</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Hint %1 of %2</source>
        <translation>Hinweis %1 von %2</translation>
    </message>
    <message>
        <source>Type a number.</source>
        <translation>Eine Zahl eingeben.</translation>
    </message>
    <message>
        <source>Too low.</source>
        <translation>Zu klein.</translation>
    </message>
    <message>
        <source>Too high.</source>
        <translation>Zu groß.</translation>
    </message>
    <message>
        <source>No. Look again.</source>
        <translation>Nein. Noch einmal hinsehen.</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Solved.</source>
        <translation>Gelöst.</translation>
    </message>
    <message>
        <source>Change the settings. The program notices when you have found the answer.</source>
        <translation>Die Einstellungen ändern. Das Programm merkt, wenn die Antwort gefunden ist.</translation>
    </message>
    <message>
        <source>Pick a warp. The program notices when you have found the right one.</source>
        <translation>Einen Warp wählen. Das Programm merkt, wenn der richtige gefunden ist.</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>Hinweis: %1</translation>
    </message>
</context>
<context>
    <name>clusterloom::TreePage</name>
    <message>
        <source>The condensed tree: clusters over ε; arrow keys or a click select the points of one</source>
        <translation>Der kondensierte Baum: Cluster über ε; Pfeiltasten oder ein Klick wählen die Punkte eines Clusters aus</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>Smallest cluster</source>
        <translation>Kleinster Cluster</translation>
    </message>
    <message>
        <source>Parts with fewer points than this are no clusters of their own</source>
        <translation>Teile mit weniger Punkten als diesem sind keine eigenen Cluster</translation>
    </message>
    <message>
        <source>Which clusters are taken</source>
        <translation>Welche Cluster ausgewählt werden</translation>
    </message>
    <message>
        <source>most stable</source>
        <translation>stabilste</translation>
    </message>
    <message>
        <source>Excess of mass: the clusters that persist over the widest ranges of density</source>
        <translation>Excess of Mass: die Cluster, die über die breitesten Bereiche der Dichte bestehen</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>Blätter</translation>
    </message>
    <message>
        <source>The clusters that do not split further</source>
        <translation>Die Cluster, die sich nicht weiter teilen</translation>
    </message>
    <message>
        <source>Show these clusters</source>
        <translation>Diese Cluster zeigen</translation>
    </message>
    <message>
        <source>Shows the clusters of HDBSCAN* in the cloud and in the table instead of the clusters at ε; Run goes back</source>
        <translation>Zeigt die Cluster von HDBSCAN* in der Punktwolke und in der Tabelle statt der Cluster bei ε; „Ausführen“ kehrt zurück</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>Ausgewählt</translation>
    </message>
    <message>
        <source>The tree</source>
        <translation>Der Baum</translation>
    </message>
</context>
<context>
    <name>clusterloom::UnsavedWork</name>
    <message>
        <source>Clusterloom</source>
        <translation>Clusterloom</translation>
    </message>
    <message>
        <source>Save the changes to the session %1?</source>
        <translation>Die Änderungen an der Sitzung %1 speichern?</translation>
    </message>
    <message>
        <source>The open data are not saved as a session. Save them?</source>
        <translation>Was offen ist, ist nicht als Sitzung gespeichert. Speichern?</translation>
    </message>
    <message>
        <source>The open data are not saved as a session, and cannot be saved before an ε is known. Discard them?</source>
        <translation>Was offen ist, ist nicht als Sitzung gespeichert und kann es nicht werden, bevor ein ε bekannt ist. Verwerfen?</translation>
    </message>
    <message>
        <source>The changes to the session %1 are not saved, and cannot be before an ε is known. Discard them?</source>
        <translation>Die Änderungen an der Sitzung %1 sind nicht gespeichert und können es nicht werden, bevor ein ε bekannt ist. Verwerfen?</translation>
    </message>
</context>
<context>
    <name>clusterloom::VtkView</name>
    <message>
        <source>This view needs OpenGL 3.2, which is not available here.</source>
        <translation>Diese Ansicht braucht OpenGL 3.2, das hier nicht verfügbar ist.</translation>
    </message>
</context>
<context>
    <name>clusterloom::Weights</name>
    <message>
        <source>Weights: %1 Choose another column, or none, below minPts.</source>
        <translation>Gewichte: %1 Unter minPts eine andere Spalte wählen, oder keine.</translation>
    </message>
</context>
<context>
    <name>clusterloom::WelcomePage</name>
    <message>
        <source>Open %1, %2, in %3</source>
        <translation>%1 öffnen, %2, in %3</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>9,000 points, 2-D</source>
        <translation>9.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Blobs</source>
        <translation>Haufen</translation>
    </message>
    <message>
        <source>20,000 points, 2-D</source>
        <translation>20.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Moons</source>
        <translation>Monde</translation>
    </message>
    <message>
        <source>5,000 points, 2-D</source>
        <translation>5.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Rings</source>
        <translation>Ringe</translation>
    </message>
    <message>
        <source>10,000 points, 2-D</source>
        <translation>10.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Varied density</source>
        <translation>Verschiedene Dichte</translation>
    </message>
    <message>
        <source>30,000 points, 2-D</source>
        <translation>30.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Spiral</source>
        <translation>Spirale</translation>
    </message>
    <message>
        <source>Blobs in space</source>
        <translation>Haufen im Raum</translation>
    </message>
    <message>
        <source>100,000 points, 3-D</source>
        <translation>100.000 Punkte, 3-D</translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation>Exponentiell</translation>
    </message>
    <message>
        <source>100,000 points, 2-D</source>
        <translation>100.000 Punkte, 2-D</translation>
    </message>
    <message>
        <source>Which points belong together?</source>
        <translation>Welche Punkte gehören zusammen?</translation>
    </message>
    <message>
        <source>Open a point cloud, drag ε, and watch exact DBSCAN clusters form.</source>
        <translation>Eine Punktwolke öffnen, ε ziehen und zusehen, wie exakte DBSCAN-Cluster entstehen.</translation>
    </message>
    <message>
        <source>Open a &amp;point cloud…</source>
        <translation>Punktwolke &amp;öffnen…</translation>
    </message>
    <message>
        <source>or drop a file here: %1, or a session</source>
        <translation>oder eine Datei hier ablegen: %1, oder eine Sitzung</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>Or try a sample</source>
        <translation>Oder ein Beispiel ausprobieren</translation>
    </message>
    <message>
        <source>Sample: %1, %2</source>
        <translation>Beispiel: %1, %2</translation>
    </message>
    <message>
        <source>New here?</source>
        <translation>Neu hier?</translation>
    </message>
    <message>
        <source>Read the guide</source>
        <translation>Handbuch lesen</translation>
    </message>
    <message>
        <source>The user&apos;s guide (F1)</source>
        <translation>Das Handbuch (F1)</translation>
    </message>
    <message>
        <source>Take a lesson</source>
        <translation>Eine Lektion durchgehen</translation>
    </message>
    <message>
        <source>Why the warps of a GPU idle, and what helps (Ctrl+F1)</source>
        <translation>Warum die Warps einer GPU untätig sind und was dagegen hilft (Strg+F1)</translation>
    </message>
    <message>
        <source>session</source>
        <translation>Sitzung</translation>
    </message>
</context>
<context>
    <name>clusterloom::WholeFile</name>
    <message>
        <source>All rows of the file are open.</source>
        <translation>Alle Zeilen der Datei sind geöffnet.</translation>
    </message>
    <message>
        <source>Cosine distances depend on the origin, and this scaling moves it. Choose no scaling, or factors, then cluster the whole file.</source>
        <translation>Kosinusdistanzen sind die von Richtungen vom Ursprung aus, den diese Skalierung verschiebt. Zuerst keine Skalierung oder Faktoren wählen, dann die ganze Datei clustern.</translation>
    </message>
    <message>
        <source>Some points do not take part. Keep all points, then cluster the whole file.</source>
        <translation>Einige Punkte nehmen nicht teil. Zuerst alle Punkte behalten, dann die ganze Datei clustern.</translation>
    </message>
    <message>
        <source>Some points are clustered on their own. Cluster all points alike, then cluster the whole file.</source>
        <translation>Einige Punkte werden für sich geclustert. Clustern Sie alle Punkte gleich, dann die ganze Datei.</translation>
    </message>
    <message>
        <source>A whole file is being clustered. Stop it first, or wait.</source>
        <translation>Eine ganze Datei wird gerade geclustert. Zuerst das stoppen oder warten.</translation>
    </message>
    <message>
        <source>Clustering all rows of %1</source>
        <translation>Alle Zeilen von %1 clustern</translation>
    </message>
    <message>
        <source>Measuring what all rows will take</source>
        <translation>Messen, was alle Zeilen brauchen</translation>
    </message>
</context>
<context>
    <name>clusterloom::WholeFileActions</name>
    <message>
        <source>One row of %1 of %2 is open.</source>
        <translation>Eine Zeile von %1 aus %2 ist geöffnet.</translation>
    </message>
    <message>
        <source>%1 in %2, %3 noise. The labels of all rows are in %4.</source>
        <translation>%1 in %2, %3 Rauschen. Die Labels aller Zeilen stehen in %4.</translation>
    </message>
    <message>
        <source>The view shows them.</source>
        <translation>Die Ansicht zeigt sie.</translation>
    </message>
    <message>
        <source>Show f&amp;older</source>
        <translation>&amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Cluster the &amp;whole file…</source>
        <translation>Die ga&amp;nze Datei clustern…</translation>
    </message>
    <message>
        <source>Cluster all rows of a file that does not fit into the memory, block by block, and show their labels</source>
        <translation>Alle Zeilen einer Datei, die nicht in den Speicher passt, Block für Block clustern und ihre Labels zeigen</translation>
    </message>
    <message>
        <source>-labels</source>
        <translation>-labels</translation>
    </message>
    <message>
        <source>All rows are clustered block by block, with files on disk. The labels are those of a run with all points in memory; they are written to a file and shown on the open rows.</source>
        <translation>Alle Zeilen werden Block für Block geclustert, mit Dateien auf der Festplatte. Die Labels sind die eines Laufs mit allen Punkten im Speicher; sie werden in eine Datei geschrieben und an den geöffneten Zeilen gezeigt.</translation>
    </message>
</context>
<context>
    <name>clusterloom::WholeFileDialog</name>
    <message>
        <source>Cluster the whole file</source>
        <translation>Die ganze Datei clustern</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>minPts</source>
        <translation>minPts</translation>
    </message>
    <message>
        <source>Proposed so that minPts stands for the same density as among the open rows: all rows together are denser</source>
        <translation>Vorgeschlagen, damit minPts für dieselbe Dichte steht wie unter den gezeigten Zeilen: Alle Zeilen zusammen liegen dichter</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory that the run may use: more makes blocks larger and the run quicker. %1 are free now.</source>
        <translation>Speicher, den der Lauf belegen darf: Mehr macht die Blöcke größer und den Lauf schneller. %1 sind jetzt frei.</translation>
    </message>
    <message>
        <source>&amp;minPts</source>
        <translation>&amp;minPts</translation>
    </message>
    <message>
        <source>M&amp;emory</source>
        <translation>Sp&amp;eicher</translation>
    </message>
    <message>
        <source>&amp;Labels</source>
        <translation>&amp;Labels</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>&amp;Temporary files</source>
        <translation>&amp;Temporäre Dateien</translation>
    </message>
    <message>
        <source>B&amp;rowse…</source>
        <translation>Durchs&amp;uchen…</translation>
    </message>
    <message>
        <source>A folder with room for a copy of the coordinates; the files are removed at the end</source>
        <translation>Ein Ordner mit Platz für eine Kopie der Koordinaten; die Dateien werden am Ende entfernt</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Den Ordner %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>ε must be a number above 0.</source>
        <translation>ε ist eine Zahl über 0.</translation>
    </message>
    <message>
        <source>Give the name of a file.</source>
        <translation>Den Namen einer Datei angeben.</translation>
    </message>
    <message>
        <source>The name must end in %1.</source>
        <translation>Der Name muss auf %1 enden.</translation>
    </message>
    <message>
        <source>This file is open. Choose another name; an input is never overwritten.</source>
        <translation>Diese Datei ist geöffnet. Einen anderen Namen wählen; eine Eingabe wird nie überschrieben.</translation>
    </message>
    <message>
        <source>This file exists and will be replaced once the new one is complete.</source>
        <translation>Diese Datei gibt es schon; sie wird ersetzt, sobald die neue vollständig ist.</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Prognose</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen…</translation>
    </message>
    <message>
        <source>About %1, for %2.</source>
        <translation>Etwa %1, für %2.</translation>
    </message>
    <message>
        <source>The file is read twice.</source>
        <translation>Die Datei wird zweimal gelesen.</translation>
    </message>
    <message>
        <source>The file is read four times.</source>
        <translation>Die Datei wird viermal gelesen.</translation>
    </message>
    <message>
        <source>Memory: about %1.</source>
        <translation>Speicher: etwa %1.</translation>
    </message>
    <message>
        <source>Temporary files: about %1, of %2 that are free.</source>
        <translation>Temporäre Dateien: etwa %1; frei sind %2.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message numerus="yes">
        <source>%1 blocks</source>
        <translation>
            <numerusform>%1 Block</numerusform>
            <numerusform>%1 Blöcke</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>clusterloom::NeighbourList</name>
    <message>
        <source>Nearest neighbours</source>
        <translation>Nächste Nachbarn</translation>
    </message>
    <message>
        <source>Click a neighbour to pick it; Ctrl+C copies the rows</source>
        <translation>Ein Klick wählt einen Nachbarn; Strg+C kopiert die Zeilen</translation>
    </message>
    <message>
        <source>Copy the nearest neighbours</source>
        <translation>Die nächsten Nachbarn kopieren</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Rauschen</translation>
    </message>
</context>
<context>
    <name>clusterloom::FileLevels</name>
    <message>
        <source>Storing all rows of %1 for drawing</source>
        <translation>Alle Zeilen von %1 werden zum Zeichnen abgelegt</translation>
    </message>
    <message>
        <source>Sorting the labels of all rows for drawing</source>
        <translation>Die Labels aller Zeilen werden zum Zeichnen geordnet</translation>
    </message>
    <message>
        <source>Reading the colours of all rows for drawing</source>
        <translation>Die Farben aller Zeilen werden zum Zeichnen gelesen</translation>
    </message>
    <message>
        <source>Only the open rows are drawn. %1</source>
        <translation>Nur die geöffneten Zeilen werden gezeichnet. %1</translation>
    </message>
    <message>
        <source>Not all rows are drawn, because some could not be read: %1</source>
        <translation>Es werden nicht alle Zeilen gezeichnet, weil einige nicht gelesen werden konnten: %1</translation>
    </message>
    <message>
        <source>Only the open rows are drawn. All rows would take %1 on the disk, and %2 may be used: View ▸ All rows of large files… changes that.</source>
        <translation>Nur die geöffneten Zeilen werden gezeichnet. Alle Zeilen würden %1 auf der Platte brauchen, und %2 dürfen genutzt werden: Ansicht ▸ Alle Zeilen großer Dateien… ändert das.</translation>
    </message>
    <message>
        <source>Only the open rows of %1 are left: which of its other rows take part is not known. Undo, or Selection ▸ Restore removed points, shows all rows again.</source>
        <translation>Von %1 sind nur die geöffneten Zeilen übrig: Welche der anderen teilnehmen, ist nicht bekannt. Rückgängig, oder Auswahl ▸ Entfernte Punkte wiederherstellen, zeigt wieder alle Zeilen.</translation>
    </message>
</context>
<context>
    <name>clusterloom::StoredPointsDialog</name>
    <message>
        <source>All rows of large files</source>
        <translation>Alle Zeilen großer Dateien</translation>
    </message>
    <message>
        <source>&amp;Draw all rows of a file where only some are open</source>
        <translation>Alle Zeilen einer Datei &amp;zeichnen, wo nur einige offen sind</translation>
    </message>
    <message>
        <source>All rows are stored in levels of detail on the disk, once for each file, and those in the view are drawn when it rests</source>
        <translation>Alle Zeilen werden in Detailstufen auf der Platte abgelegt, für jede Datei einmal, und die in der Ansicht werden gezeichnet, sobald sie ruht</translation>
    </message>
    <message>
        <source>Space for stored rows</source>
        <translation>Platz für abgelegte Zeilen</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>A row takes 16 bytes, or 12 in 2-D. The files that have not been used for the longest time are removed first. While labels of the whole file or the values of a column are displayed, each row takes 4 more bytes.</source>
        <translation>Eine Zeile braucht 16 Byte, in 2-D 12. Die Dateien, die am längsten nicht gebraucht wurden, werden zuerst entfernt. Solange Labels der ganzen Datei oder die Werte einer Spalte gezeigt werden, brauchen sie 4 Byte mehr je Zeile.</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Remove the stored rows of all files</source>
        <translation>Die abgelegten Zeilen aller Dateien entfernen</translation>
    </message>
    <message>
        <source>Keep at &amp;most</source>
        <translation>&amp;Höchstens behalten</translation>
    </message>
    <message>
        <source>Used now: %1, in %2</source>
        <translation>Jetzt genutzt: %1, in %2</translation>
    </message>
</context>
</TS>
